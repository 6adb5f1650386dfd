// A chip for tests: no ports, an FBI that swallows what it is sent, faults and annotations kept to
// be looked at.
#pragma once

#include <string>
#include <vector>

#include "simulator/chip/plain_chip.h"
#include "simulator/run/run_watch.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {

// Nothing behind it: commands vanish, input states are what the test sets.
class SilentFbi final : public simulator::FbiUnit {
 public:
  void connect(const simulator::FbiConnections&) override {}
  void expect(const simulator::CommandKinds&) override {}
  void run(simulator::Cycle) override {}
  [[nodiscard]] simulator::Cycle earliest_answer(simulator::Cycle) const override {
    return simulator::Cycle::never();
  }
  [[nodiscard]] bool has_room(const simulator::Command&, simulator::Cycle) override { return true; }
  void deliver(const simulator::Command& command, simulator::Cycle) override {
    commands.push_back(command);
  }
  void read_receive_fifo(std::uint32_t fifo_address, std::uint32_t,
                         std::span<std::uint32_t> longwords, simulator::Cycle) override {
    for (std::uint32_t& longword : longwords)
      longword = 0xf1f00000 + fifo_address++;
  }
  void write_transmit_fifo(std::uint32_t, std::uint32_t, std::span<const std::uint32_t> longwords,
                           simulator::Cycle) override {
    transmitted.insert(transmitted.end(), longwords.begin(), longwords.end());
  }
  [[nodiscard]] std::uint32_t fifo_bytes() const override { return 1024; }
  [[nodiscard]] bool input_state(isa::InputState, simulator::Cycle) const override { return state; }
  [[nodiscard]] simulator::Cycle known_until() const override { return simulator::Cycle::never(); }
  void describe_waiting(std::vector<std::string>&) const override {}
  void hash(simulator::StateHash&) const override {}

  std::vector<simulator::Command> commands;
  std::vector<std::uint32_t> transmitted;
  bool state = false;
};

class AnnotationLog final : public simulator::AnnotationSink {
 public:
  struct Entry {
    isa::Annotation::Kind kind;
    simulator::ThreadId thread;
    std::uint32_t first;
    std::uint32_t second;
    simulator::Cycle at;
  };
  void annotation(isa::Annotation::Kind kind, simulator::ThreadId thread, std::uint32_t first,
                  std::uint32_t second, simulator::Cycle at) override {
    entries.push_back({kind, thread, first, second, at});
  }
  std::vector<Entry> entries;
};

// The named chip of simulator/chips without the figures that are fitted to published measurements,
// with overrides "KEY=VALUE".
simulator::ChipDescription chip_description(const std::string& name,
                                            const std::vector<std::string>& overrides = {});
// The chip as its file says.
simulator::ChipDescription shipped_chip(const std::string& name);

class BenchChip {
 public:
  explicit BenchChip(const simulator::ChipDescription& description = chip_description("ixp1200"));

  // Loads engine `engine`'s first `threads` contexts.
  void load(unsigned engine, const isa::ProgramImage& program, unsigned threads = 1,
            const std::vector<simulator::WordCost>& costs = {});
  // Until cycle `end` (not included), a fault, or all threads off.
  void run_until(std::uint64_t end);
  // Until all threads are off; checks every engine's sums. A test fails that takes longer than
  // `most` cycles.
  void run(std::uint64_t most = 100'000);

  [[nodiscard]] simulator::EngineCounters counters(unsigned engine = 0) {
    return chip.engine(simulator::EngineId(engine)).counters();
  }
  [[nodiscard]] std::uint32_t reg(Code code, unsigned context = 0, unsigned engine = 0) {
    return chip.engine(simulator::EngineId(engine))
        .register_value(simulator::ContextId(context), code);
  }

  SilentFbi fbi;
  AnnotationLog annotations;
  simulator::RunWatch watch;
  simulator::PlainChip chip;
};

}  // namespace nplab::test
