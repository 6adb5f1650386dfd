#include "reports/analysis/derive.h"

#include <catch2/catch.hpp>

#include "reports/analysis/published.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

constexpr Count kPublishedCoreHz = 165'890'000;
constexpr double kSramPeak = 2654.24;   // Mb/s: 32 bits at half the core clock
constexpr double kSdramPeak = 5308.48;  // Mb/s: 64 bits at half the core clock

}  // namespace

TEST_CASE("A percentage is exact, and that of nothing is 0") {
  CHECK(percentage(1, 8) == 12.5);
  CHECK(percentage(1000, 1000) == 100);
  CHECK(percentage(5, 0) == 0);
}

TEST_CASE("Mips count instructions in a simulated second") {
  CHECK(mips(600, 1000, 100'000'000) == 60);
  CHECK(mips(0, 1000, 100'000'000) == 0);
  CHECK(mips(5, 0, 100'000'000) == 0);
}

TEST_CASE("A memory's rate is its active share of the peak, and its moved data is counted apart") {
  CHECK(active_mbps(500, 1000, 1600) == 800);
  CHECK(transferred_mbps(40, 1000, 100'000'000) == 128);
}

TEST_CASE("A wire rate counts each frame with 12 bytes of gap, from the first start of packet") {
  CHECK(wire_mbps(10, 640, 200, 1000, 100'000'000) == 760);
  CHECK(wire_mbps(10, 640, 0, 1000, 100'000'000) == 608);
}

TEST_CASE("A wire rate is 0 without a start of packet or without time after it") {
  CHECK(wire_mbps(10, 640, std::nullopt, 1000, 100'000'000) == 0);
  CHECK(wire_mbps(10, 640, 1000, 1000, 100'000'000) == 0);
}

TEST_CASE("Percentiles are of nearest rank") {
  std::vector<Count> latencies;
  for (Count i = 100; i >= 1; --i)
    latencies.push_back(i);
  CHECK(summarise_latencies(latencies) == PacketLatencyRecord{1, 50, 90, 99, 100});
  CHECK(summarise_latencies({7}) == PacketLatencyRecord{7, 7, 7, 7, 7});
  CHECK(summarise_latencies({1, 2, 3}) == PacketLatencyRecord{1, 2, 3, 3, 3});
  CHECK(summarise_latencies({}) == PacketLatencyRecord{});
}

TEST_CASE("Every computed figure of a record comes from its counts") {
  const RunRecord r = sample_record();
  CHECK(r.simulated_seconds == 1e-5);
  CHECK(r.engines[0].executing_pct == 60);
  CHECK(r.engines[0].aborted_pct == 20);
  CHECK(r.engines[0].stalled_pct == 5);
  CHECK(r.engines[0].idle_pct == 15);
  CHECK(r.engines[1].mips == 25);
  CHECK(r.memory.sram.active_pct == 50);
  CHECK(r.memory.sram.mbps == 800);
  CHECK(r.memory.sdram.transferred_mbps == 102.4);
  CHECK(r.memory.sram.latency_cycles.mean == 22.5);
  CHECK(r.memory.scratch.latency_cycles.mean == 0);
  CHECK(r.host.core_cycles_per_s == 4000);
  CHECK(r.host.instructions_per_s == 3400);
}

TEST_CASE("The ports' rates add up to the chip's") {
  const RunRecord r = sample_record();
  CHECK(r.rates_mbps == Rates{760, 912});
  CHECK(r.ports[0].rates_mbps == Rates{456, 608});
  CHECK(r.ports[1].rates_mbps == Rates{304, 304});
}

// The publication prints an active share truncated to 0.1 %, and the rate of the share before
// truncation: the rate lies between that of the printed share and that of 0.1 % more.
TEST_CASE("The published memory rates are the published active shares of the peak") {
  struct Row {
    const char* mapping;
    const char* memory;
    double peak;
  };
  for (const Row& row : {Row{"LS", "sram", kSramPeak}, Row{"BV1", "sram", kSramPeak},
                         Row{"LS", "sdram", kSdramPeak}, Row{"BV1", "sdram", kSdramPeak}}) {
    const PublishedRun& run = *find_published(row.mapping);
    const double active = run.overall.at(std::string(row.memory) + "_active");
    const double rate = run.overall.at(std::string(row.memory) + "_rate");
    const auto of_1000 = static_cast<Count>(active * 10 + 0.5);
    INFO(row.mapping << " " << row.memory << ": " << rate << " Mb/s at " << active << " %");
    CHECK(rate >= active_mbps(of_1000, 1000, row.peak));
    CHECK(rate < active_mbps(of_1000 + 1, 1000, row.peak));
  }
}

TEST_CASE("The published wire rates count 608 bits per packet, within what start-up leaves open") {
  const PublishedRun& ls = *find_published("LS");
  const auto cycles = static_cast<Count>(ls.overall.at("microengine_cycles"));
  const auto received = static_cast<Count>(ls.overall.at("packets_received"));
  const double rate = wire_mbps(received, 64 * received, 0, cycles, kPublishedCoreHz);
  CHECK(rate == Approx(324.97).margin(0.01));
  CHECK(rate == Approx(ls.overall.at("receive_rate")).epsilon(0.0015));
}

TEST_CASE("The published Mips of LS are its executing share of the clock, within truncation") {
  for (const PublishedEngine& engine : find_published("LS")->engines) {
    const auto of_1000 = static_cast<Count>(engine.executing_pct * 10 + 0.5);
    CHECK(engine.mips >= mips(of_1000, 1000, kPublishedCoreHz) - 0.1);
    CHECK(engine.mips <= mips(of_1000 + 1, 1000, kPublishedCoreHz) + 0.1);
  }
}

}  // namespace nplab::reports
