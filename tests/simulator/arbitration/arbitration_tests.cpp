// Every arbitration policy at every place that can have it: who is served, in which cycle.
#include <catch2/catch.hpp>

#include "simulator/bus/command_bus.h"
#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

using Served = std::vector<std::pair<unsigned, std::uint64_t>>;  // who, and in which cycle

struct PolicyCase {
  const char* policy;
  Served served;
};

struct Arrival {
  Command command;
  std::uint64_t at;
};

// Threads by the cycles of their completions.
template <class Unit, class Description>
Served completions_of(const Description& description, const std::vector<Arrival>& arrivals) {
  ThreadLog threads;
  RunWatch watch;
  Unit unit(description);
  unit.connect({&threads, &watch});
  for (const Arrival& arrival : arrivals)
    unit.deliver(arrival.command, Cycle(arrival.at));
  unit.run(Cycle(1000));
  return threads.signals;
}

Command sdram_read(unsigned thread, std::uint32_t address, unsigned tokens,
                   unsigned quadwords = 1) {
  return command(thread, isa::Operation::kSdramRead, isa::Unit::kSdram, address, quadwords, tokens);
}

// Takes everything and remembers when it came.
class ArrivalLog final : public UnitQueue {
 public:
  [[nodiscard]] bool has_room(const Command&, Cycle) override { return true; }
  void deliver(const Command& command, Cycle at) override {
    arrivals.emplace_back(command.thread.engine.index(), at.number());
  }
  [[nodiscard]] Refusal refusal(const Command&) const override { return {}; }
  Served arrivals;
};

isa::ProgramImage with_marks(std::vector<Word> words, std::initializer_list<unsigned> marked) {
  auto image = program(std::move(words));
  for (const unsigned pc : marked)
    image.annotations.push_back({pc, isa::Annotation::Kind::kConsoleHex, none, none});
  return image;
}

}  // namespace

TEST_CASE("the SRAM's queues are served as the chip's policy says") {
  const std::string policy = GENERATE("ixp1200", "round_robin", "oldest_first");
  CAPTURE(policy);
  const Command burst =
      command(0, isa::Operation::kSramRead, isa::Unit::kSram, 0, 8, kOptimize);  // bus 6 to 22
  // While the burst has the bus, three queues get a reference each.
  const Served served = completions_of<SramUnit>(
      chip_description("ixp1200", {"sram.arbitration=" + policy}).sram,
      {{burst, 0}, {sram_read(3, kOptimize), 3}, {sram_read(2), 4}, {sram_read(1, kPriority), 5}});
  if (policy == "ixp1200")
    CHECK(served == Served{{0, 28}, {1, 30}, {3, 32}, {2, 34}});
  if (policy == "round_robin")
    CHECK(served == Served{{0, 28}, {2, 30}, {1, 32}, {3, 34}});
  if (policy == "oldest_first")
    CHECK(served == Served{{0, 28}, {3, 30}, {2, 32}, {1, 34}});
}

TEST_CASE("the SDRAM's queues are served as the chip's policy says") {
  const std::string policy = GENERATE("ixp1200", "round_robin", "oldest_first");
  CAPTURE(policy);
  constexpr std::uint32_t kEven = 0, kOdd = 512;
  SdramDescription sdram = chip_description("ixp1200", {"sdram.arbitration=" + policy}).sdram;
  sdram.pipeline_latency = 10;
  sdram.push_latency = 1;
  sdram.t_rcd = sdram.t_rp = sdram.t_ras = sdram.t_rc = sdram.t_rrd = 0;
  // The burst has the bus from 10 to 18; each of the others has it for two cycles.
  const Served served = completions_of<SdramUnit>(sdram, {{sdram_read(0, kEven, kOptimize, 4), 0},
                                                          {sdram_read(4, kOdd, kOptimize), 4},
                                                          {sdram_read(3, kEven, kOptimize), 5},
                                                          {sdram_read(2, kEven, 0), 6},
                                                          {sdram_read(1, kEven, kPriority), 7}});
  if (policy == "ixp1200")
    CHECK(served == Served{{0, 19}, {1, 21}, {4, 23}, {3, 25}, {2, 27}});
  if (policy == "round_robin")
    CHECK(served == Served{{0, 19}, {4, 21}, {2, 23}, {1, 25}, {3, 27}});
  if (policy == "oldest_first")
    CHECK(served == Served{{0, 19}, {4, 21}, {3, 23}, {2, 25}, {1, 27}});
}

TEST_CASE("the next of a chain goes before any policy, in the SDRAM and on the command bus") {
  const std::string policy = GENERATE("ixp1200", "round_robin", "oldest_first");
  CAPTURE(policy);
  const auto chip = chip_description(
      "ixp1200", {"sdram.arbitration=" + policy, "command_bus.arbitration=" + policy});
  CHECK(order_of(completions_of<SdramUnit>(chip.sdram, {{sdram_read(4, 0, kChain), 0},
                                                        {sdram_read(0, 0, kPriority), 1},
                                                        {sdram_read(5, 512, 0), 2}})) ==
        std::vector<unsigned>{4, 5, 0});
  ArrivalLog unit;
  CommandBus bus(chip);
  bus.connect({&unit, &unit, &unit, &unit});
  bus.push(sram_read(0, kChain));
  bus.push(sram_read(4));
  bus.push(sram_read(0));
  bus.run(Cycle(10));
  CHECK(unit.arrivals == Served{{0, 3}, {0, 4}, {1, 5}});
}

TEST_CASE("the command bus is granted as the chip's policy says") {
  const auto [policy, grants] =
      GENERATE(values<PolicyCase>({{"ixp1200", {{1, 3}, {0, 11}, {2, 19}, {3, 27}}},
                                   {"round_robin", {{1, 3}, {2, 11}, {3, 19}, {0, 27}}},
                                   {"oldest_first", {{1, 3}, {3, 11}, {2, 19}, {0, 27}}}}));
  CAPTURE(policy);
  ArrivalLog unit;
  CommandBus bus(chip_description("ixp1200", {"command_bus.cycles_per_command=8",
                                              std::string("command_bus.arbitration=") + policy}));
  bus.connect({&unit, &unit, &unit, &unit});
  // Engine 1 has the bus from 1 to 9; meanwhile three others issue.
  const std::pair<unsigned, std::uint64_t> issued[] = {{1, 0}, {3, 3}, {2, 4}, {0, 5}};
  for (const auto& [engine, at] : issued) {
    Command command = sram_read(4 * engine);
    command.issued = Cycle(at);
    bus.push(command);
  }
  bus.run(Cycle(100));
  CHECK(unit.arrivals == grants);
}

TEST_CASE("a ready context is dispatched as the chip's policy says") {
  // Cycles from the end of context 0 to the last instruction of each other one.
  const auto [policy, dispatched] =
      GENERATE(values<PolicyCase>({{"ixp1200", {{1, 4}, {2, 8}}},
                                   {"round_robin", {{1, 4}, {2, 8}}},
                                   {"oldest_first", {{2, 4}, {1, 8}}}}));
  CAPTURE(policy);
  constexpr unsigned kReadsSdram = 66, kReadsSram = 68, kEnd = 70;
  std::vector<Word> words{br_context(1, kReadsSdram), br_context(2, kReadsSram), nop(), yield()};
  words.resize(kReadsSdram - 1, nop());
  const auto last_of_first = static_cast<unsigned>(words.size());
  words.push_back(kill());
  words.push_back(reference({.unit = ReferenceUnit::kSdram, .transfer = sdram_transfer(0)}));
  words.push_back(br(If::kAlways, kEnd));
  words.push_back(reference({.unit = ReferenceUnit::kSram, .transfer = sram_transfer(0)}));
  words.push_back(br(If::kAlways, kEnd));
  words.push_back(kill());
  REQUIRE(words.size() == kEnd + 1);
  BenchChip bench(chip_description("ixp1200", {std::string("engine.arbitration=") + policy}));
  bench.load(0, with_marks(words, {last_of_first, kEnd}), 3);
  bench.run();
  const auto& entries = bench.annotations.entries;
  REQUIRE(entries.size() == 3);
  REQUIRE(entries[0].thread.context == ContextId(0));
  Served found;
  for (std::size_t i = 1; i < entries.size(); ++i)
    found.emplace_back(entries[i].thread.context.index(), entries[i].at - entries[0].at);
  CHECK(found == dispatched);
}

}  // namespace nplab::test
