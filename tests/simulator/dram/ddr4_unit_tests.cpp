// The SDRAM unit over DDR4, by itself: exact cycles, order, full queues. At 400 MHz four clocks of
// DDR4-3200 make a cycle.
#include <catch2/catch.hpp>

#include <algorithm>

#include "simulator/memory/ddr4_unit.h"
#include "tests/simulator/bench/random_ddr4.h"
#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

constexpr std::uint64_t kCoreClock = 400'000'000;

SdramDescription ddr4_3200() {
  SdramDescription sdram = chip_description("ixp1200").sdram;
  sdram.model = SdramModel::kDdr4;
  sdram.speed = dram::Speed::k3200;
  sdram.pipeline_latency = 10;
  sdram.push_latency = 1;
  sdram.write_completion = 2;
  return sdram;
}

// Row of bank 0 of group 0, and a burst of it.
std::uint32_t address(std::uint32_t row, std::uint32_t column = 0) {
  return row << 17 | column << 8;
}
Command read(unsigned thread, std::uint32_t at, unsigned quadwords = 1) {
  return command(thread, isa::Operation::kSdramRead, isa::Unit::kSdram, at, quadwords);
}
Command write(unsigned thread, std::uint32_t at, unsigned quadwords = 1) {
  Command c = command(thread, isa::Operation::kSdramWrite, isa::Unit::kSdram, at, quadwords);
  c.byte_mask = 0xff;
  return c;
}

using Answers = std::vector<std::pair<unsigned, std::uint64_t>>;

struct UnitBench {
  explicit UnitBench(const SdramDescription& sdram) : unit(sdram, kCoreClock), sdram(sdram) {
    unit.connect({&threads, &watch});
    unit.observe_commands(&trace);
  }
  // By thread and cycle, in the order in which they were given.
  Answers answers(const std::vector<Command>& commands) {
    for (const Command& c : commands) {
      REQUIRE(unit.has_room(c, Cycle(0)));
      unit.deliver(c, Cycle(0));
    }
    unit.run(Cycle(2000));
    CHECK(first_violation(sdram, trace.commands) == "");
    return threads.signals;
  }

  ThreadLog threads;
  RunWatch watch;
  dram::RecordedTrace trace;
  Ddr4Unit unit;
  SdramDescription sdram;
};

Answers answers(const SdramDescription& sdram, const std::vector<Command>& commands) {
  return UnitBench(sdram).answers(commands);
}

}  // namespace

// Chosen in cycle 10, in the controller in clock 44, data after tRCD + CL + 4 = 48 clocks, in clock
// 92: cycle 23, and push.
TEST_CASE("an unloaded read of DDR4 takes the queue, tRCD + CL + BL/2 in cycles, and push") {
  CHECK(answers(ddr4_3200(), {read(0, 0)}) == Answers{{0, 24}});
}

TEST_CASE("a write to DDR4 is done when the controller has it") {
  CHECK(answers(ddr4_3200(), {write(0, 0)}) == Answers{{0, 12}});
}

// In the controller in clock 48; its read follows the first, of clock 66, by tCCD_L of 8 clocks:
// data until clock 100, cycle 25.
TEST_CASE("a read of the open row follows by tCCD_L") {
  CHECK(answers(ddr4_3200(), {read(0, 0), read(1, address(0, 1))}) == Answers{{0, 24}, {1, 26}});
}

// The first bursts are handed over in cycles 10 and 11. The second opens its row in another group
// in clock 48, has data in clock 96: cycle 24, and push.
TEST_CASE("a reference of two bursts is done when both have come") {
  CHECK(answers(ddr4_3200(), {read(0, 32, 8)}) == Answers{{0, 25}});
}

TEST_CASE("a read that a waiting write answers takes a cycle and push") {
  UnitBench bench(ddr4_3200());
  CHECK(bench.answers({write(0, 0), read(1, 0)}) == Answers{{0, 12}, {1, 11 + 1 + 1}});
  CHECK(bench.unit.memory().counters().from_write_queue == 1);
}

TEST_CASE("row hits overtake, but a thread is answered in its order") {
  const auto crowd = [](unsigned third) {
    return std::vector<Command>{read(1, address(0)), read(0, address(1)),
                                read(third, address(0, 1))};
  };
  const Answers others = answers(ddr4_3200(), crowd(2));
  REQUIRE(others.size() == 3);
  CHECK(order_of(others) == std::vector<unsigned>{1, 2, 0});
  const Answers own = answers(ddr4_3200(), crowd(0));
  REQUIRE(own.size() == 3);
  CHECK(own[1] == others[2]);
  CHECK(own[2] == others[2]);
}

TEST_CASE("the bus of DDR4 counts the data's clocks in cycles, channels together") {
  std::vector<Command> commands;
  for (unsigned i = 0; i < 16; ++i)
    commands.push_back(read(i, i * 64));
  for (const unsigned channels : {1u, 2u, 4u}) {
    SdramDescription sdram = ddr4_3200();
    sdram.channels = channels;
    UnitBench bench(sdram);
    CHECK(bench.answers(commands).size() == 16);
    CHECK(bench.unit.active_cycles(Cycle(2000)) == 16 / channels);
    CHECK(bench.unit.bits_per_cycle() == 4.0 * 128 * channels);
  }
}

TEST_CASE("channels serve at the same time") {
  std::vector<Command> commands;
  for (unsigned i = 0; i < 16; ++i)
    commands.push_back(read(i, i * 64, 8));
  const auto last = [&](unsigned channels) {
    SdramDescription sdram = ddr4_3200();
    sdram.channels = channels;
    return answers(sdram, commands).back().second;
  };
  CHECK(last(4) <= last(1));
}

TEST_CASE("a memory that is free of cost answers each as if it were alone") {
  UnitBench bench(ddr4_3200());
  bench.unit.stop_occupying();
  CHECK(bench.answers({read(0, 0), read(1, address(1)), read(2, address(2)), write(3, 0)}) ==
        Answers{{3, 12}, {0, 24}, {1, 24}, {2, 24}});
  CHECK(bench.unit.active_cycles(Cycle(2000)) == 0);
}

TEST_CASE("full controllers fill the unit's queue, which refuses, and say what waits") {
  SdramDescription sdram = ddr4_3200();
  sdram.scheduler = DramScheduler::Choice{2};  // in_order
  REQUIRE(choice_words(sdram.scheduler)[2] == "in_order");
  sdram.window = 1;
  sdram.queues["order_queue"] = 3;
  UnitBench bench(sdram);
  unsigned delivered = 0;
  for (unsigned at = 0; at < 12; ++at)
    if (const Command c = read(at, address(at)); bench.unit.has_room(c, Cycle(at))) {
      bench.unit.deliver(c, Cycle(at));
      ++delivered;
    }
  // One has left the queue for the controller in cycle 10.
  CHECK(delivered == 4);
  std::vector<std::string> waiting;
  bench.unit.describe_waiting(waiting);
  const auto begins = [&waiting](const std::string& text) {
    return std::count_if(waiting.begin(), waiting.end(),
                         [&text](const std::string& line) { return line.starts_with(text); });
  };
  CHECK(begins("sdram.order_queue: ") == 3);
  CHECK(begins("sdram, in the memory: ") == 1);
  CHECK(begins("sdram, channel 0: 1 bursts") == 1);
  CHECK(bench.unit.queued_references().references == 4);
  bench.unit.run(Cycle(2000));
  CHECK(bench.threads.signals.size() == 4);
  CHECK(first_violation(sdram, bench.trace.commands) == "");
}

TEST_CASE("a queue of one write takes a reference of two bursts") {
  SdramDescription sdram = ddr4_3200();
  sdram.write_queue = sdram.write_high = sdram.write_idle = 1;
  CHECK(answers(sdram, {write(0, 32, 8), read(1, 32, 8)}).size() == 2);
}

TEST_CASE("random references to DDR4 are all answered, each thread's in its order, by the rules") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    SdramDescription sdram = ddr4_3200();
    make_ddr4(random, sdram);
    sdram.write_completion = 1 + random() % 20;
    sdram.push_latency = 1 + random() % 20;
    UnitBench bench(sdram);
    std::uint64_t at = 0;
    unsigned delivered = 0;
    while (delivered < 200) {
      const auto thread = static_cast<unsigned>(random() % 16);
      const auto place = static_cast<std::uint32_t>(random() % (1 << 14) * 8);
      const auto quadwords = static_cast<unsigned>(1 + random() % 8);
      const Command c =
          random() % 2 == 0 ? read(thread, place, quadwords) : write(thread, place, quadwords);
      at += random() % 4;
      while (!bench.unit.has_room(c, Cycle(at)))
        ++at;
      bench.unit.deliver(c, Cycle(at));
      ++delivered;
    }
    bench.unit.run(Cycle(at + 100'000));
    REQUIRE(bench.threads.signals.size() == delivered);
    const auto earlier = [](const auto& a, const auto& b) { return a.second < b.second; };
    REQUIRE(std::is_sorted(bench.threads.signals.begin(), bench.threads.signals.end(), earlier));
    REQUIRE(first_violation(sdram, bench.trace.commands) == "");
    REQUIRE(bench.unit.statistics().references() == delivered);
  }
}

}  // namespace nplab::test
