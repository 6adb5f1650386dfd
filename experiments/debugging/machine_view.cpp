#include "experiments/debugging/machine_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <string_view>

#include "experiments/debugging/packet_places.h"
#include "experiments/debugging/packet_view.h"
#include "isa/instruction.h"
#include "simulator/observe/chip_queues.h"

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
                     {"since", context.since.number()}});
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

json written_value(const json& request, const View& view) {
  const simulator::Microengine& engine =
      *view.parts.engines.at(request.at("engine").get<std::size_t>());
  return engine.written_value(ContextId(request.at("context").get<unsigned>()),
                              request.at("code").get<isa::OperandCode>());
}

json register_value(const json& request, const View& view) {
  const simulator::Microengine& engine =
      *view.parts.engines.at(request.at("engine").get<std::size_t>());
  return engine.register_value(ContextId(request.at("context").get<unsigned>()),
                               request.at("code").get<isa::OperandCode>());
}

// What the thread sees of its engine besides registers.
json local_state(const json& request, const View& view) {
  const auto number = request.at("engine").get<std::size_t>();
  const auto context = request.at("context").get<std::size_t>();
  const auto thread = view.parts.engines.at(number)->snapshot().contexts.at(context);
  return {{"active_ctx", context},
          {"engine", number},
          {"cycle_count", static_cast<std::uint32_t>(view.now.number())},
          {"signals", event_list(thread.arrived)},
          {"negative", thread.codes.negative()},
          {"zero", thread.codes.zero()},
          {"carry", thread.codes.carry() != 0},
          {"overflow", thread.codes.overflow()}};
}

// Longwords of a FIFO of the FBI from `address` on; the control longwords of the transmit FIFO
// follow its elements.
json fifo(const json& request, const View& view) {
  std::vector<std::uint32_t> all;
  if (request.at("fifo") == "rfifo") {
    const auto& bytes = view.fbi.receive_fifo().longwords();
    all.assign(bytes.begin(), bytes.end());
  } else {
    const auto& bytes = view.fbi.transmit_fifo().longwords();
    all.assign(bytes.begin(), bytes.end());
    for (unsigned element = 0; element < simulator::kMostFifoElements; ++element)
      all.push_back(view.fbi.transmit_fifo().control_longword(element));
  }
  const std::size_t first =
      std::min<std::size_t>(request.at("address").get<std::uint32_t>() / 4, all.size());
  const std::size_t count =
      std::min(request.at("longwords").get<std::size_t>(), all.size() - first);
  return std::vector<std::uint32_t>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                    all.begin() + static_cast<std::ptrdiff_t>(first + count));
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
    json entries = json::array(), put = json::array(), taken = json::array();
    for (std::size_t i = 0; i < queue.rings; ++i) {
      const simulator::RingCounters& ring = view.rings.at(queue.first_ring + i);
      entries.push_back(ring.entries());
      put.push_back(ring.put);
      taken.push_back(ring.taken);
    }
    all.push_back({{"name", queue.name},
                   {"entries", entries},
                   {"size", queue.entries},
                   {"put", put},
                   {"taken", taken}});
  }
  return all;
}

json unit_queues(const DebugTarget& target, const View& view) {
  const simulator::ChipQueues queues(target.chip, view.parts, view.fbi);
  const auto sizes =
      queues.sizes(view.now.number() == 0 ? view.now : simulator::Cycle(view.now.number() - 1));
  json all = json::array();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    all.push_back(
        {{"name", queues.names()[i]}, {"size", queues.capacities()[i]}, {"entries", sizes[i]}});
  return all;
}

json chip(const DebugTarget& target, const View& view) {
  json packets = packets_view(target, view);
  const json places = packet_places(target, view);
  for (json& packet : packets)
    packet["places"] = places.value(packet.at("packet").dump(), json::array());
  return {{"over", view.is_over},
          {"deadlocked", view.deadlocked},
          {"threads", threads(target, view)},
          {"queues", queues(target, view)},
          {"unit_queues", unit_queues(target, view)},
          {"packets", std::move(packets)}};
}

std::string hash(const View& view) {
  return fmt::format("{:016x}", view.parts.state_hash());
}

struct Look {
  std::string_view name;
  json (*answer)(const json& request, const DebugTarget& target, const View& view);
};
constexpr std::array kLooks{
    Look{"threads",
         [](const json&, const auto& target, const auto& view) -> json {
           return threads(target, view);
         }},
    Look{"registers",
         [](const json& request, const auto&, const auto& view) -> json {
           return registers(request, view);
         }},
    Look{"register",
         [](const json& request, const auto&, const auto& view) -> json {
           return register_value(request, view);
         }},
    Look{"written register",
         [](const json& request, const auto&, const auto& view) -> json {
           return written_value(request, view);
         }},
    Look{"local",
         [](const json& request, const auto&, const auto& view) -> json {
           return local_state(request, view);
         }},
    Look{"memory",
         [](const json& request, const auto&, const auto& view) -> json {
           return memory(request, view);
         }},
    Look{"fifo",
         [](const json& request, const auto&, const auto& view) -> json {
           return fifo(request, view);
         }},
    Look{"locks",
         [](const json&, const auto&, const auto& view) -> json {
           return view.parts.sram->locks();
         }},
    Look{"queues",
         [](const json&, const auto& target, const auto& view) -> json {
           return queues(target, view);
         }},
    Look{"waiting",
         [](const json&, const auto&, const auto& view) -> json { return view.parts.waiting(); }},
    Look{"packets",
         [](const json&, const auto& target, const auto& view) -> json {
           return packets_view(target, view);
         }},
    Look{"work", work_view},
    Look{"unit queues",
         [](const json&, const auto& target, const auto& view) -> json {
           return unit_queues(target, view);
         }},
    Look{"chip",
         [](const json&, const auto& target, const auto& view) -> json {
           return chip(target, view);
         }},
    Look{"hash", [](const json&, const auto&, const auto& view) -> json { return hash(view); }}};

}  // namespace

json machine_view(const json& request, const DebugTarget& target, const View& view) {
  const std::string name = request.at("look");
  for (const Look& look : kLooks)
    if (look.name == name)
      return look.answer(request, target, view);
  assert(false && "the debugger knows what it asks for");
  return {};
}

}  // namespace nplab::experiments
