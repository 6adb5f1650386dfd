// Memory units by themselves, fed command by command.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "simulator/memory/sdram_unit.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {

// Engines that only keep when they were told what.
class ThreadLog final : public simulator::ThreadAccess {
 public:
  void pull(simulator::ThreadId, simulator::TransferRegister, std::span<std::uint32_t> longwords,
            simulator::Cycle) override {
    for (std::uint32_t& longword : longwords)
      longword = 0;
  }
  void answer(simulator::ThreadId thread, const simulator::Answer& answer) override {
    if (answer.events != 0)
      signals.emplace_back(thread.number(), answer.at.number());
  }
  std::vector<std::pair<unsigned, std::uint64_t>> signals;  // thread, cycle
};

inline simulator::Command command(unsigned thread, isa::Operation operation, isa::Unit unit,
                                  std::uint32_t address, unsigned count = 1, unsigned tokens = 0) {
  simulator::Command c;
  c.thread = simulator::ThreadId(thread);
  c.operation = operation;
  c.unit = unit;
  c.address = address;
  c.count = static_cast<std::uint8_t>(count);
  c.tokens = static_cast<std::uint16_t>(tokens);
  c.signals = true;
  return c;
}
inline simulator::Command sram_read(unsigned thread, unsigned tokens = 0) {
  return command(thread, isa::Operation::kSramRead, isa::Unit::kSram, 0, 1, tokens);
}
inline constexpr auto kOptimize = static_cast<unsigned>(isa::Token::kOptimizeMem);
inline constexpr auto kPriority = static_cast<unsigned>(isa::Token::kPriority);
inline constexpr auto kChain = static_cast<unsigned>(isa::Token::kChainRef);

// Delivers everything in cycle 0 and gives the threads in the order of their completions.
enum class Bus { kOfTheChip, kNeverHeld };
template <class Unit, class Description>
std::vector<std::pair<unsigned, std::uint64_t>> completions(
    const Description& description, const std::vector<simulator::Command>& commands,
    Bus bus = Bus::kOfTheChip) {
  ThreadLog threads;
  simulator::RunWatch watch;
  simulator::FbiProcessor processor;
  Unit unit(description);
  unit.connect({&threads, &watch});
  if (bus == Bus::kNeverHeld)
    unit.stop_occupying();
  if constexpr (std::is_same_v<Unit, simulator::ScratchUnit>)
    unit.connect_processor(processor);
  for (const simulator::Command& c : commands) {
    REQUIRE(unit.has_room(c, simulator::Cycle(0)));
    unit.deliver(c, simulator::Cycle(0));
  }
  unit.run(simulator::Cycle(2000));
  REQUIRE(threads.signals.size() == commands.size());
  std::sort(threads.signals.begin(), threads.signals.end(),
            [](const auto& x, const auto& y) { return x.second < y.second; });
  return threads.signals;
}

inline std::vector<unsigned> order_of(
    const std::vector<std::pair<unsigned, std::uint64_t>>& signals) {
  std::vector<unsigned> order;
  for (const auto& [thread, cycle] : signals)
    order.push_back(thread);
  return order;
}

}  // namespace nplab::test
