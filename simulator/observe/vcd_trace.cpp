#include "simulator/observe/vcd_trace.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "isa/operations.gen.h"

namespace nplab::simulator {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;
constexpr unsigned kWordBits = 16;
constexpr unsigned kLongBits = 64;

// Printable characters from ! to ~, the least significant first.
std::string identifier(std::size_t number) {
  constexpr std::size_t kCharacters = 94;
  std::string text;
  do
    text += static_cast<char>('!' + number % kCharacters);
  while ((number /= kCharacters) != 0);
  return text;
}

std::string binary(std::uint64_t value) {
  std::string text;
  for (unsigned bit = std::bit_width(value | 1); bit-- > 0;)
    text += static_cast<char>('0' + (value >> bit & 1));
  return text;
}

unsigned bits_for(unsigned most) {
  return static_cast<unsigned>(std::bit_width(most | 1u));
}

// A blank would end a text.
std::string text_of(const ContextChange& change) {
  if (change.state != ContextState::kWaiting)
    return to_string(change.state);
  return "waits_for_" + std::string(isa::to_string(*change.waits_for));
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

VcdTrace::SignalNumber VcdTrace::add(std::string path, unsigned bits, std::string value) {
  if (bits > 1)
    value.insert(0, 1, 'b');
  signals_.push_back({"chip." + std::move(path), bits, std::move(value)});
  changed_.push_back(signals_.size() - 1);
  return signals_.size() - 1;
}

// Signals of a scope stand together.
void VcdTrace::declare(const ObservedChip& chip) {
  const auto add_with = [this](const std::string& prefix, const std::vector<std::string>& names,
                               auto add_one) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].starts_with(prefix))
        add_one(i);
  };
  queues_.resize(chip.queues.size());
  buses_.resize(chip.buses.size());
  const auto add_queue = [&](std::size_t i) {
    queues_[i] = add(chip.queues[i], bits_for(chip.queue_entries[i]), "0");
  };
  cycle_ = add("cycle", kLongBits, "x");
  for (unsigned i = 0; i < chip.engines; ++i) {
    const std::string name = "engine" + std::to_string(i) + ".";
    EngineSignals engine;
    engine.executing = add(name + "executing", 1, "0");
    engine.aborted = add(name + "aborted", 1, "0");
    engine.stalled = add(name + "stalled", 1, "0");
    engine.context = add(name + "context", bits_for(chip.contexts - 1), "x");
    engine.word = add(name + "word", kWordBits, "x");
    add_with(name, chip.queues, add_queue);
    for (unsigned context = 0; context < chip.contexts; ++context)
      engine.states.push_back(
          add(name + "context" + std::to_string(context) + ".state", 0, "soff"));
    engines_.push_back(std::move(engine));
  }
  for (const char* unit : {"sram.", "sdram.", "scratch.", "fbi."}) {
    add_with(unit, chip.queues, add_queue);
    add_with(unit, chip.buses, [&](std::size_t i) { buses_[i] = add(chip.buses[i], 1, "0"); });
  }
  for (const char* kind : {"received", "verdict", "dropped", "sent"})
    packets_.push_back(add(std::string("packets.") + kind, kLongBits, "x"));
}

void VcdTrace::write_header() {
  stream_ << "$comment nplab: a chip's run, by core cycle $end\n$timescale 1 ps $end\n";
  std::vector<std::string> open;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    std::vector<std::string> scopes = split(signals_[i].path);
    const std::string name = scopes.back();
    scopes.pop_back();
    std::size_t common = 0;
    while (common < std::min(open.size(), scopes.size()) && open[common] == scopes[common])
      ++common;
    for (; open.size() > common; open.pop_back())
      stream_ << "$upscope $end\n";
    for (; open.size() < scopes.size(); open.push_back(scopes[open.size()]))
      stream_ << "$scope module " << scopes[open.size()] << " $end\n";
    const Signal& signal = signals_[i];
    if (signal.bits == 0)
      stream_ << "$var string 1 ";
    else
      stream_ << "$var wire " << signal.bits << ' ';
    stream_ << identifier(i) << ' ' << name;
    if (signal.bits > 1)
      stream_ << " [" << signal.bits - 1 << ":0]";
    stream_ << " $end\n";
  }
  for (; !open.empty(); open.pop_back())
    stream_ << "$upscope $end\n";
  stream_ << "$enddefinitions $end\n";
}

void VcdTrace::begin(const ObservedChip& chip) {
  picoseconds_ = kPicosecondsPerSecond / static_cast<double>(chip.core_hz);
  declare(chip);
  write_header();
}

void VcdTrace::set(SignalNumber number, std::string value) {
  Signal& signal = signals_[number];
  if (signal.value == value)
    return;
  signal.value = std::move(value);
  if (!signal.changed)
    changed_.push_back(number);
  signal.changed = true;
}

void VcdTrace::set_number(SignalNumber signal, std::uint64_t value) {
  set(signal, (signals_[signal].bits == 1 ? "" : "b") + binary(value));
}

void VcdTrace::set_text(SignalNumber signal, const std::string& text) {
  set(signal, "s" + text);
}

void VcdTrace::context_changed(const ContextChange& change) {
  set_text(engines_[change.thread.engine.index()].states[change.thread.context.index()],
           text_of(change));
}

void VcdTrace::set_slot(EngineSignals& engine, std::optional<ContextState> state) {
  set_number(engine.executing, state == ContextState::kExecuting);
  set_number(engine.aborted, state == ContextState::kAborted);
  set_number(engine.stalled, state == ContextState::kStalled);
}

void VcdTrace::slot(const EngineSlot& slot) {
  EngineSignals& engine = engines_[slot.thread.engine.index()];
  engine.is_idle = false;
  set_slot(engine, slot.state);
  set_number(engine.context, slot.thread.context.index());
  set_number(engine.word, slot.word);
}

void VcdTrace::queue_changed(std::size_t queue, unsigned entries, Cycle) {
  set_number(queues_[queue], entries);
}

void VcdTrace::bus_taken(std::size_t bus, Cycle) {
  set_number(buses_[bus], 1);
}

void VcdTrace::bus_freed(std::size_t bus, Cycle) {
  set_number(buses_[bus], 0);
}

void VcdTrace::packet(const PacketEvent& event) {
  set_number(packets_[static_cast<std::size_t>(event.kind)], event.packet);
}

void VcdTrace::write_time(Cycle at) {
  stream_ << '#' << std::llround(static_cast<double>(at.number()) * picoseconds_) << '\n';
}

void VcdTrace::cycle_done(Cycle at) {
  for (EngineSignals& engine : engines_) {
    if (engine.is_idle)
      set_slot(engine, std::nullopt);
    engine.is_idle = true;
  }
  set_number(cycle_, at.number());
  write_time(at);
  for (const SignalNumber number : changed_) {
    Signal& signal = signals_[number];
    stream_ << signal.value << (signal.bits == 1 ? "" : " ") << identifier(number) << '\n';
    signal.changed = false;
  }
  changed_.clear();
}

void VcdTrace::end(Cycle at) {
  write_time(at);
}

}  // namespace nplab::simulator
