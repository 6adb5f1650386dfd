// Command bus and memory units by themselves, fed command by command.
#include <catch2/catch.hpp>

#include "simulator/bus/command_bus.h"
#include "simulator/engine/event_inbox.h"
#include "simulator/memory/memory_storage.h"
#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

// Takes everything and remembers it; full while `full`.
class OpenQueue final : public UnitQueue {
 public:
  [[nodiscard]] bool has_room(const Command&, Cycle) override { return !full; }
  void deliver(const Command& c, Cycle at) override {
    arrivals.emplace_back(c.thread.engine.index(), at.number());
  }
  [[nodiscard]] Refusal refusal(const Command&) const override {
    return {stall_cause("sram", "order_queue"), Cycle()};
  }
  bool full = false;
  std::vector<std::pair<unsigned, std::uint64_t>> arrivals;  // engine, cycle
};

using Arrivals = std::vector<std::pair<unsigned, std::uint64_t>>;

}  // namespace

TEST_CASE(
    "the command bus grants engines in rotation, one command a cycle, from the cycle after its "
    "issue") {
  OpenQueue sram, scratch;
  CommandBus bus(chip_description("ixp1200"));
  bus.connect({&sram, &sram, &scratch, &scratch});
  for (const unsigned engine : {2u, 0u, 5u, 0u})
    bus.push(sram_read(4 * engine));
  CHECK_FALSE(bus.can_accept(EngineId(0)));
  CHECK(bus.full_before(EngineId(0)) == Cycle(2));
  CHECK(bus.can_accept(EngineId(2)));
  bus.run(Cycle(10));
  CHECK(sram.arrivals == Arrivals{{0, 1 + 2}, {2, 2 + 2}, {5, 3 + 2}, {0, 4 + 2}});
  CHECK(bus.can_accept(EngineId(0)));
}

TEST_CASE("chain_ref keeps the grant with its engine") {
  OpenQueue queue;
  CommandBus bus(chip_description("ixp1200"));
  bus.connect({&queue, &queue, &queue, &queue});
  bus.push(sram_read(0, kChain));
  bus.push(sram_read(4));
  bus.push(sram_read(0));
  bus.run(Cycle(10));
  CHECK(queue.arrivals == Arrivals{{0, 3}, {0, 4}, {1, 5}});
}

TEST_CASE("a full unit holds back its commands, not those of other engines to other units") {
  OpenQueue sram, scratch;
  sram.full = true;
  CommandBus bus(chip_description("ixp1200"));
  bus.connect({&sram, &sram, &scratch, &scratch});
  bus.push(sram_read(0));
  bus.push(command(4, isa::Operation::kScratchRead, isa::Unit::kScratch, 0));
  bus.run(Cycle(10));
  CHECK(sram.arrivals.empty());
  CHECK(scratch.arrivals == Arrivals{{1, 3}});
  sram.full = false;
  bus.run(Cycle(12));
  CHECK(sram.arrivals == Arrivals{{0, 12}});
}

TEST_CASE("SRAM reads follow one another at two cycles a longword, and a write turns the bus") {
  const auto sram = chip_description("ixp1200").sram;
  // First bus cycle 6, data until 8, in the registers at 14.
  CHECK(completions<SramUnit>(sram, {sram_read(0), sram_read(1), sram_read(2)}) ==
        Arrivals{{0, 14}, {1, 16}, {2, 18}});
  const Command write = command(1, isa::Operation::kSramWrite, isa::Unit::kSram, 8);
  CHECK(completions<SramUnit>(sram, {sram_read(0), write, sram_read(2)}) ==
        Arrivals{{0, 14}, {1, 18}, {2, 22}});
}

TEST_CASE("SRAM serves priority first, then up to read_group reads before the order queue") {
  auto sram = chip_description("ixp1200").sram;
  sram.read_group = 2;
  const std::vector<Command> crowd{sram_read(0), sram_read(1, kOptimize), sram_read(2, kOptimize),
                                   sram_read(3, kOptimize), sram_read(4, kPriority)};
  CHECK(order_of(completions<SramUnit>(sram, crowd)) == std::vector<unsigned>{4, 1, 2, 0, 3});
}

TEST_CASE("declared occupancy holds the SRAM bus and counts as active") {
  auto sram = chip_description("ixp1200").sram;
  sram.read_occupancy = 4;
  CHECK(completions<SramUnit>(sram, {sram_read(0), sram_read(1)}) == Arrivals{{0, 18}, {1, 24}});
}

TEST_CASE(
    "accesses to opposite SDRAM banks follow soon, to the same bank after it has been closed") {
  const auto sdram = chip_description("ixp1200").sdram;
  const auto read = [](unsigned thread, std::uint32_t address, unsigned tokens) {
    return command(thread, isa::Operation::kSdramRead, isa::Unit::kSdram, address, 1, tokens);
  };
  // First data cycle 18, in the registers at 18 + 2 + 11.
  // The other bank: activated tRRD = 4 behind the first. The same one: open for tRAS = 8 from 14
  // on, then tRP + tRCD.
  CHECK(completions<SdramUnit>(sdram, {read(0, 0, 0), read(1, 512, 0)}) ==
        Arrivals{{0, 31}, {1, 31 + 4}});
  CHECK(completions<SdramUnit>(sdram, {read(0, 0, 0), read(1, 0, 0)}) ==
        Arrivals{{0, 31}, {1, 14 + 8 + 8 + 2 + 11}});
  // Sorted by bank, they take turns.
  CHECK(order_of(completions<SdramUnit>(
            sdram, {read(0, 0, kOptimize), read(1, 0, kOptimize), read(2, 512, kOptimize),
                    read(3, 512, kOptimize)})) == std::vector<unsigned>{0, 2, 1, 3});
}

TEST_CASE("scratch serves in order, a longword a cycle") {
  const auto scratch = chip_description("ixp1200").scratch;
  const auto read = [](unsigned thread, unsigned count) {
    return command(thread, isa::Operation::kScratchRead, isa::Unit::kScratch, 0, count);
  };
  CHECK(completions<ScratchUnit>(scratch, {read(0, 1), read(1, 3), read(2, 1)}) ==
        Arrivals{{0, 9}, {1, 12}, {2, 13}});
}

TEST_CASE("statistics of a unit count references, longwords, latencies and the longest queue") {
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(chip_description("ixp1200").sram);
  unit.connect({&threads, &watch});
  for (unsigned thread = 0; thread < 3; ++thread)
    unit.deliver(sram_read(thread), Cycle(0));
  unit.run(Cycle(100));
  CHECK(unit.statistics().references() == 3);
  CHECK(unit.statistics().longwords() == 3);
  CHECK(unit.statistics().total_latency() == 14 + 16 + 18);
  CHECK(unit.statistics().latency_percentile(0.99) == 18);
  CHECK(unit.statistics().latency_percentile(0.5) == 16);
  CHECK(unit.statistics().queue_peak() == 3);
  CHECK(unit.active_cycles(Cycle(100)) == 6);
  CHECK(unit.active_cycles(Cycle(11)) == 5);  // a run that ends inside the last reference
}

TEST_CASE("memory contents hash the same whatever the history") {
  MemoryStorage one(4096), other(4096);
  one.poke(8, 5);
  one.poke(16, 7);
  one.poke(8, 6);
  other.poke(16, 7);
  other.poke(8, 6);
  CHECK(one.contents_hash() == other.contents_hash());
  other.poke(16, 0);
  other.poke(8, 0);
  CHECK(other.contents_hash() == MemoryStorage(4096).contents_hash());
  CHECK(one.holds(4092, 4));
  CHECK_FALSE(one.holds(4092, 8));
  CHECK_FALSE(one.holds(0xfffffffc, 8));
}

TEST_CASE(
    "an engine's inbox gives deliveries by cycle, those of one cycle by unit, of one unit as they "
    "were made") {
  EventInbox inbox;
  const auto add = [&](isa::Unit unit, std::uint16_t event, std::uint64_t at) {
    inbox.add(ContextId(1), {unit, event, {}, {}, Cycle(at)});
  };
  add(isa::Unit::kSdram, 1, 9);
  add(isa::Unit::kSdram, 2, 5);
  add(isa::Unit::kSdram, 4, 9);
  add(isa::Unit::kSram, 8, 9);
  std::vector<std::uint16_t> order;
  for (; inbox.earliest() != Cycle::never(); inbox.pop())
    order.push_back(inbox.front().events);
  CHECK(order == std::vector<std::uint16_t>{2, 8, 1, 4});
}

}  // namespace nplab::test
