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

TEST_CASE("SRAM reads follow one another at two cycles per longword, and a write turns the bus") {
  const auto sram = chip_description("ixp1200").sram;
  // First bus cycle 6, data until 8, in the registers at 14.
  CHECK(completions<SramUnit>(sram, {sram_read(0), sram_read(1), sram_read(2)}) ==
        Arrivals{{0, 14}, {1, 16}, {2, 18}});
  const Command write = command(1, isa::Operation::kSramWrite, isa::Unit::kSram, 8);
  CHECK(completions<SramUnit>(sram, {sram_read(0), write, sram_read(2)}) ==
        Arrivals{{0, 14}, {1, 18}, {2, 22}});
}

namespace {

// A bus of the SRAM that is idle for a while: reads and writes by their arrival.
struct Served {
  std::vector<std::uint64_t> done;
  Cycles active = 0;
};
Served served(const SramDescription& sram,
              const std::vector<std::pair<std::uint64_t, Command>>& arrivals) {
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(sram);
  unit.connect({&threads, &watch});
  for (const auto& [at, command] : arrivals) {
    unit.run(Cycle(at));
    unit.deliver(command, Cycle(at));
  }
  unit.run(Cycle(1000));
  Served all;
  for (const auto& [thread, cycle] : threads.signals)
    all.done.push_back(cycle);
  all.active = unit.active_cycles(Cycle(1000));
  return all;
}

}  // namespace

TEST_CASE("the SRAM bus turns while it is idle: only what is left delays, and counts as active") {
  auto sram = chip_description("ixp1200").sram;
  sram.turn_around = 4;
  const Command write = command(1, isa::Operation::kSramWrite, isa::Unit::kSram, 8);
  const auto after_a_read = [&](std::uint64_t arrival) {
    return served(sram, {{0, sram_read(0)}, {arrival, write}});
  };
  // The read's data pass from 6 to 8; a write's can begin in 12. It is chosen 6 cycles before it
  // has the bus, so one that arrives by 2 could have it in 8: 4 cycles are left.
  CHECK(after_a_read(2).done == std::vector<std::uint64_t>{14, 12 + 2 + 6});
  CHECK(after_a_read(2).active == 2 + 4 + 2);
  CHECK(after_a_read(4).done == std::vector<std::uint64_t>{14, 12 + 2 + 6});
  CHECK(after_a_read(4).active == 2 + 2 + 2);
  CHECK(after_a_read(6).done == std::vector<std::uint64_t>{14, 12 + 2 + 6});
  CHECK(after_a_read(6).active == 2 + 2);
  CHECK(after_a_read(8).done == std::vector<std::uint64_t>{14, 14 + 2 + 6});
  CHECK(after_a_read(8).active == 2 + 2);
}

namespace {

Command read_lock(unsigned thread) {
  return command(thread, isa::Operation::kSramReadLock, isa::Unit::kSram, 0);
}
Command write_unlock(unsigned thread) {
  return command(thread, isa::Operation::kSramWriteUnlock, isa::Unit::kSram, 0);
}

}  // namespace

TEST_CASE("a read_lock that finds the lock-fail queue full keeps its place in its own queue") {
  auto sram = chip_description("ixp1200").sram;
  sram.queues["order_queue"] = 2;
  sram.queues["lock_fail_queue"] = 1;
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(sram);
  unit.connect({&threads, &watch});
  const auto arrives = [&](const Command& command, std::uint64_t at) {
    CHECK_FALSE(unit.has_room(command, Cycle(at - 1)));
    REQUIRE(unit.has_room(command, Cycle(at)));
    unit.deliver(command, Cycle(at));
  };
  unit.deliver(read_lock(0), Cycle(0));  // chosen in 0; its data pass from 6 to 8
  unit.deliver(read_lock(1), Cycle(0));  // fails in 2, and waits in the lock-fail queue
  arrives(read_lock(2), 1);              // fails in 4, and keeps its place: one is left for others
  arrives(sram_read(3), 3);              // passes it: chosen in 6; data from 12 to 14
  arrives(write_unlock(0), 7);  // chosen in 8: the bus turns until 16, data until 18; unlocked
  // In 12, 6 cycles before the bus is free, thread 1 has the lock: the bus turns until 20, data
  // until 22. Thread 2 moves up to the lock-fail queue and leaves its place.
  CHECK_FALSE(unit.has_room(write_unlock(1), Cycle(8)));
  CHECK(unit.has_room(write_unlock(1), Cycle(9)));
  CHECK(unit.queue_sizes()[3] == 1);
  CHECK(unit.queue_sizes()[2] == 1);
  CHECK(unit.has_room(write_unlock(1), Cycle(13)));
  CHECK(unit.queue_sizes()[3] == 1);
  CHECK(unit.queue_sizes()[2] == 0);
  unit.deliver(write_unlock(1), Cycle(13));  // chosen in 16; data from 24 to 26
  // In 20 thread 2 has the lock: data from 28 to 30.
  unit.run(Cycle(1000));
  CHECK_FALSE(watch.fault());
  CHECK(threads.signals == Arrivals{{0, 14}, {3, 20}, {0, 24}, {1, 28}, {1, 32}, {2, 36}});
}

TEST_CASE("contenders that fill their queue push back on what else belongs to it") {
  auto sram = chip_description("ixp1200").sram;
  sram.queues["order_queue"] = 1;
  sram.queues["lock_fail_queue"] = 1;
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(sram);
  unit.connect({&threads, &watch});
  std::uint64_t at = 0;
  for (const unsigned thread : {0u, 1u, 2u}) {
    REQUIRE(unit.has_room(read_lock(thread), Cycle(at)));
    unit.deliver(read_lock(thread), Cycle(at));
    at += 10;
  }
  // Thread 2 keeps the only place: the other queues alone have room.
  CHECK_FALSE(unit.has_room(sram_read(3), Cycle(500)));
  CHECK(unit.refusal(sram_read(3)).queue == stall_cause("sram", "order_queue"));
  CHECK(unit.has_room(sram_read(3, kOptimize), Cycle(500)));
  CHECK(unit.queued_references().references == 2);
  std::vector<std::string> waiting;
  unit.describe_waiting(waiting);
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[1].starts_with("sram.order_queue: "));
  CHECK_FALSE(watch.fault());
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
