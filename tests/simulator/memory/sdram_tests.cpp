// The SDRAM unit by itself: what each of its timing figures holds back, refresh, and who is next.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

// Nothing holds anything back but data: two cycles a quadword.
SdramDescription free_of_limits() {
  SdramDescription sdram = chip_description("ixp1200").sdram;
  sdram.pipeline_latency = 10;
  sdram.push_latency = 1;
  sdram.turn_around = 0;
  sdram.t_rcd = sdram.t_rp = sdram.t_ras = sdram.t_rc = sdram.t_rrd = 0;
  return sdram;
}

constexpr std::uint32_t kEven = 0, kOdd = 512;

Command read(unsigned thread, std::uint32_t address, unsigned tokens = 0, unsigned quadwords = 1) {
  return command(thread, isa::Operation::kSdramRead, isa::Unit::kSdram, address, quadwords, tokens);
}

// First bus cycle of each reference, all there in cycle 0: of one quadword, completions less data
// and push.
std::vector<std::uint64_t> starts(const SdramDescription& sdram,
                                  const std::vector<Command>& commands) {
  std::vector<std::uint64_t> cycles;
  for (const auto& [thread, done] : completions<SdramUnit>(sdram, commands))
    cycles.push_back(done - 1 - 2);
  return cycles;
}

}  // namespace

TEST_CASE("without limits quadwords of one bank follow one another") {
  CHECK(starts(free_of_limits(), {read(0, kEven), read(1, kEven), read(2, kEven)}) ==
        std::vector<std::uint64_t>{10, 12, 14});
}

TEST_CASE("tRP and tRCD hold back the same bank after the data before") {
  SdramDescription sdram = free_of_limits();
  sdram.t_rp = 6;
  sdram.t_rcd = 4;
  sdram.t_ras = 4;
  CHECK(starts(sdram, {read(0, kEven), read(1, kEven)}) ==
        std::vector<std::uint64_t>{10, 12 + 6 + 4});
  CHECK(starts(sdram, {read(0, kEven), read(1, kOdd)}) == std::vector<std::uint64_t>{10, 12});
}

TEST_CASE("tRAS keeps a row open that has given its data early") {
  SdramDescription sdram = free_of_limits();
  sdram.t_rcd = 4;
  sdram.t_rp = 4;
  sdram.t_ras = 12;
  // Activated in cycle 6, precharged in 18 instead of 12.
  CHECK(starts(sdram, {read(0, kEven), read(1, kEven)}) ==
        std::vector<std::uint64_t>{10, 18 + 4 + 4});
}

TEST_CASE("tRC holds apart two activations of a bank") {
  SdramDescription sdram = free_of_limits();
  sdram.t_rc = 20;
  CHECK(starts(sdram, {read(0, kEven), read(1, kEven)}) == std::vector<std::uint64_t>{10, 30});
  CHECK(starts(sdram, {read(0, kEven), read(1, kOdd)}) == std::vector<std::uint64_t>{10, 12});
}

TEST_CASE("tRRD holds apart activations of different banks") {
  SdramDescription sdram = free_of_limits();
  sdram.t_rrd = 8;
  CHECK(starts(sdram, {read(0, kEven), read(1, kOdd), read(2, kEven)}) ==
        std::vector<std::uint64_t>{10, 18, 26});
}

TEST_CASE("a refresh takes all banks away once in its period, and counts nothing as active") {
  SdramDescription sdram = free_of_limits();
  sdram.t_rcd = 4;
  sdram.t_ras = 4;
  sdram.t_rp = 4;
  sdram.refresh_cycles = 5;
  sdram.refresh_period = 50;
  ThreadLog threads;
  RunWatch watch;
  SdramUnit unit(sdram);
  unit.connect({&threads, &watch});
  // Data 48 to 50; closed in 54, refreshed until 59, data from 59 + 4.
  unit.deliver(read(0, kEven), Cycle(38));
  unit.deliver(read(1, kOdd), Cycle(40));
  // An idle memory has been refreshed in passing: in cycles 100 and 150, the last until 155, data
  // from 155 + 4.
  unit.deliver(read(2, kOdd), Cycle(142));
  unit.run(Cycle(1000));
  std::vector<std::uint64_t> done;
  for (const auto& [thread, cycle] : threads.signals)
    done.push_back(cycle - 3);
  CHECK(done == std::vector<std::uint64_t>{48, 63, 159});
  CHECK(unit.active_cycles(Cycle(1000)) == 3 * 2);
}

TEST_CASE(
    "the SDRAM serves priority, then the bank not used last, then the order queue, then the same "
    "bank") {
  const SdramDescription sdram = free_of_limits();
  // The odd bank counts as used last at reset.
  const std::vector<Command> crowd{
      read(0, kEven, kOptimize), read(1, kEven, kOptimize), read(2, kEven),
      read(3, kOdd, kOptimize),  read(4, kOdd, kPriority),  read(5, kEven, kOptimize)};
  // 4 (odd) by priority; 0 even; 3 odd; 1 even; then even was last: order (even), and the rest.
  CHECK(order_of(completions<SdramUnit>(sdram, crowd)) == std::vector<unsigned>{4, 0, 3, 1, 2, 5});
}

TEST_CASE("the next of a chain goes before priority, a chain that is not continued ends") {
  const SdramDescription sdram = free_of_limits();
  const unsigned engine = 4;  // threads 4 to 7
  CHECK(order_of(completions<SdramUnit>(
            sdram, {read(engine, kEven, kPriority | kChain), read(0, kOdd, kPriority),
                    read(engine + 1, kEven)})) == std::vector<unsigned>{4, 5, 0});
  CHECK(order_of(completions<SdramUnit>(sdram, {read(engine, kEven, kPriority | kChain),
                                                read(0, kOdd, kPriority), read(1, kEven)})) ==
        std::vector<unsigned>{4, 0, 1});
}

TEST_CASE("a change of direction costs the turn-around, and counts as active") {
  SdramDescription sdram = free_of_limits();
  sdram.turn_around = 6;
  ThreadLog threads;
  RunWatch watch;
  SdramUnit unit(sdram);
  unit.connect({&threads, &watch});
  for (const auto operation :
       {isa::Operation::kSdramRead, isa::Operation::kSdramWrite, isa::Operation::kSdramRead})
    unit.deliver(command(0, operation, isa::Unit::kSdram, 0), Cycle(0));
  unit.run(Cycle(1000));
  CHECK(unit.active_cycles(Cycle(1000)) == 3 * 2 + 2 * 6);
  CHECK(threads.signals.back().second == 10 + 3 * 2 + 2 * 6 + 1);
}

TEST_CASE("the SDRAM bus turns while it waits for a bank or for work") {
  SdramDescription sdram = free_of_limits();
  sdram.turn_around = 6;
  sdram.t_rp = 4;
  ThreadLog threads;
  RunWatch watch;
  SdramUnit unit(sdram);
  unit.connect({&threads, &watch});
  // The read's data pass from 10 to 12, its bank is closed until 16: the write takes the bus there,
  // and 2 of the 6 cycles are left.
  unit.deliver(read(0, kEven), Cycle(0));
  unit.deliver(command(1, isa::Operation::kSdramWrite, isa::Unit::kSdram, kEven), Cycle(0));
  unit.run(Cycle(100));
  CHECK(threads.signals.back().second == 12 + 6 + 2 + sdram.write_completion);
  CHECK(unit.active_cycles(Cycle(100)) == 2 + 2 + 2);
  // Idle since 20, it has turned long before.
  unit.deliver(read(2, kEven), Cycle(100));
  unit.run(Cycle(1000));
  CHECK(threads.signals.back().second == 110 + 2 + sdram.push_latency);
  CHECK(unit.active_cycles(Cycle(1000)) == 2 + 2 + 2 + 2);
}

}  // namespace nplab::test
