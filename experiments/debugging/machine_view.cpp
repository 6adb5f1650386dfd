#include "experiments/debugging/machine_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

using nlohmann::json;
using simulator::ContextId;
using View = simulator::RunVisitor::View;

const char* state_name(simulator::EngineSnapshot::Context state) {
  using State = simulator::EngineSnapshot::Context;
  switch (state) {
    case State::kOff: return "ended";
    case State::kReady: return "ready";
    case State::kRunning: return "running";
    case State::kWaiting: break;
  }
  return "waiting";
}

// "sram", "sram and sig_done": the events of `missing`.
std::string event_list(std::uint16_t missing) {
  std::string text;
  for (unsigned bit = 0; bit < 16; ++bit) {
    if ((missing >> bit & 1) == 0)
      continue;
    const auto name = isa::to_string(static_cast<isa::Event>(1u << bit));
    text += fmt::format("{}{}", text.empty() ? "" : " and ", name);
  }
  return text;
}

json threads(const DebugTarget& target, const View& view) {
  json all = json::array();
  for (const DebugProgram& program : target.programs) {
    const auto engine = view.parts.engines[program.engine]->snapshot();
    for (const unsigned number : program.contexts) {
      const auto& context = engine.contexts[number];
      all.push_back({{"engine", program.engine},
                     {"context", number},
                     {"state", state_name(context.state)},
                     {"word", context.word},
                     {"waits_for", event_list(context.missing)},
                     {"gave_up_at", context.gave_up_at}});
    }
  }
  return all;
}

// Operand codes of isa/description/registers.td.
constexpr isa::OperandCode kSramTransfer = 0x200, kSdramTransfer = 0x208;

json registers(const json& request, const View& view) {
  const simulator::Microengine& engine =
      *view.parts.engines.at(request.at("engine").get<std::size_t>());
  const ContextId context(request.at("context").get<unsigned>());
  const auto read = [&](isa::OperandCode first, unsigned count) {
    json values = json::array();
    for (unsigned i = 0; i < count; ++i)
      values.push_back(engine.register_value(context, static_cast<isa::OperandCode>(first + i)));
    return values;
  };
  const auto written = [&](isa::OperandCode first) {
    json values = json::array();
    for (unsigned i = 0; i < 8; ++i)
      values.push_back(engine.written_value(context, static_cast<isa::OperandCode>(first + i)));
    return values;
  };
  return {{"a", read(0, 16)},
          {"b", read(16, 16)},
          {"$ read", read(kSramTransfer, 8)},
          {"$ write", written(kSramTransfer)},
          {"$$ read", read(kSdramTransfer, 8)},
          {"$$ write", written(kSdramTransfer)}};
}

json register_value(const json& request, const View& view) {
  const simulator::Microengine& engine =
      *view.parts.engines.at(request.at("engine").get<std::size_t>());
  return engine.register_value(ContextId(request.at("context").get<unsigned>()),
                               request.at("code").get<isa::OperandCode>());
}

json memory(const json& request, const View& view) {
  const auto& storage = view.parts.storage(request.at("space").get<isa::MemorySpace>());
  const auto address = request.at("address").get<std::uint32_t>();
  const auto wanted = request.at("longwords").get<std::uint32_t>();
  json longwords = json::array();
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint64_t at = address + 4 * i;
    if (at + 4 > storage.size())
      break;
    longwords.push_back(storage.peek(static_cast<std::uint32_t>(at)));
  }
  return longwords;
}

json queues(const DebugTarget& target, const View& view) {
  json all = json::array();
  for (const DebugQueue& queue : target.queues) {
    json entries = json::array();
    for (std::size_t i = 0; i < queue.rings; ++i)
      entries.push_back(view.rings.at(queue.first_ring + i).entries());
    all.push_back({{"name", queue.name}, {"entries", entries}, {"size", queue.entries}});
  }
  return all;
}

json packet(const json& request, const View& view) {
  const auto packet = view.frames.packet_at(request.at("address").get<std::uint32_t>());
  return packet ? json(*packet) : json(nullptr);
}

}  // namespace

json machine_view(const json& request, const DebugTarget& target, const View& view) {
  const std::string what = request.at("look");
  if (what == "threads")
    return threads(target, view);
  if (what == "registers")
    return registers(request, view);
  if (what == "register")
    return register_value(request, view);
  if (what == "memory")
    return memory(request, view);
  if (what == "queues")
    return queues(target, view);
  if (what == "waiting")
    return view.parts.waiting();
  if (what == "packet")
    return packet(request, view);
  return fmt::format("{:016x}", view.parts.state_hash());
}

}  // namespace nplab::experiments
