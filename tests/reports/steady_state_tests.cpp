#include "reports/analysis/steady_state.h"

#include <catch2/catch.hpp>
#include <random>

#include "reports/analysis/comparable_tables.h"
#include "reports/text/text_report.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

using Catch::Contains;

std::vector<double> noise(std::size_t count, double mean, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(mean + static_cast<double>(engine() % 1000) / 1000 - 0.5);
  return values;
}

// `count` samples 1,000 cycles apart; packets in flight grow by one per sample up to `full`.
RunRecord filling_run(std::size_t count, Count full) {
  RunRecord r = sample_record();
  r.cycles.core = count * 1000 + 500;
  r.samples = {};
  r.samples.interval_cycles = 1000;
  for (Count i = 0; i < count; ++i) {
    const Count in_flight = std::min(i + 1, full);
    r.samples.received.push_back(10 * (i + 1));
    r.samples.sent.push_back(10 * (i + 1) - in_flight);
    r.samples.in_flight.push_back(in_flight);
    r.samples.received_bytes.push_back(64 * r.samples.received.back());
    r.samples.sent_bytes.push_back(64 * r.samples.sent.back());
  }
  r.packets.received = r.samples.received.back();
  r.packets.sent = r.samples.sent.back();
  r.packets.in_flight = r.samples.in_flight.back();
  r.first_start_cycle = {0, 0};
  r.ports.resize(1);
  r.ports[0].frame_bytes = {64 * r.packets.received, 64 * r.packets.sent};
  return r;
}

}  // namespace

TEST_CASE("a series that is settled from the start is not truncated") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Truncation found = mser5(noise(400, 10, seed));
    CAPTURE(seed, found.values);
    CHECK(found.settled);
    CHECK(found.values <= 100);
  }
  const Truncation constant = mser5(std::vector<double>(100, 7));
  CHECK(constant.settled);
  CHECK(constant.values == 0);
}

TEST_CASE("the values before a step are left out, to the batch") {
  std::vector<double> values = noise(60, 0, 1);
  const std::vector<double> later = noise(340, 100, 2);
  values.insert(values.end(), later.begin(), later.end());
  const Truncation found = mser5(values);
  CHECK(found.settled);
  CHECK(found.values >= 60);
  CHECK(found.values <= 60 + 100);
}

TEST_CASE("a series that only grows has not settled") {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i)
    values.push_back(i);
  CHECK_FALSE(mser5(values).settled);
  CHECK_FALSE(mser5({1, 2, 3}).settled);
}

TEST_CASE("noise whose quietest part comes late has settled all the same") {
  std::vector<double> values = noise(300, 100, 3);
  values.insert(values.end(), 100, 100.0);
  const Truncation found = mser5(values);
  CHECK(found.settled);
  CHECK(found.values == 200);
}

TEST_CASE("a run is steady from the cycle from which its packets in flight stay") {
  RunRecord r = filling_run(400, 40);
  r.steady = steady_state(r, {});
  CHECK(r.steady->reached);
  CHECK(r.steady->from_cycle == 40'000);
  // 10 packets of 76 bytes on the wire in 1,000 cycles, of 3,600 that were received since.
  const double received = 3'600 * 76.0 * 8 * static_cast<double>(r.clocks.core_hz) / 1e6 / 360'500;
  CHECK(r.steady->rates_mbps.receive == Approx(received));
  CHECK(r.steady->rates_mbps.transmit == Approx(received));
}

TEST_CASE("latencies of the steady state are those of the packets sent in it") {
  RunRecord r = filling_run(400, 40);
  std::vector<Count> latencies(r.packets.sent, 500);
  const std::size_t sent_before = r.samples.sent[39];
  for (std::size_t i = 0; i < sent_before; ++i)
    latencies[i] = 9'000;
  latencies.back() = 700;
  const Steady steady = steady_state(r, latencies);
  CHECK(steady.latency_cycles == PacketLatencyRecord{500, 500, 500, 500, 700});
}

TEST_CASE("a run whose queues fill up to its stop has no steady state, and says so") {
  RunRecord r = filling_run(400, 1'000);
  r.steady = steady_state(r, {});
  CHECK_FALSE(r.steady->reached);
  CHECK(steady_sentence(r) ==
        "no steady state was reached: 400 packets were in flight at the stop and 201 at half time; "
        "rates and latencies depend on the length of the run");
  CHECK_THAT(render_run(r), Contains("no steady state was reached"));
  const RunRecord same = without_warm_up(r);
  CHECK(same.rates_mbps == r.rates_mbps);
}

TEST_CASE("a run of few samples has no steady state") {
  RunRecord r = filling_run(kFewestSamples - 1, 2);
  CHECK_FALSE(steady_state(r, {}).reached);
}

TEST_CASE("the warm-up can be left out of the rates and latencies of a report") {
  RunRecord r = filling_run(400, 40);
  r.steady = steady_state(r, std::vector<Count>(r.packets.sent, 500));
  CHECK_THAT(steady_sentence(r), Contains("the first 40000 cycles, 10 % of the run (MSER-5)"));
  const RunRecord without = without_warm_up(r);
  CHECK(without.rates_mbps == r.steady->rates_mbps);
  CHECK(without.latency_cycles.p99 == 500);
  CHECK_THAT(render_run(without), Contains("rates and latencies are those from cycle 40000 on"));
}

TEST_CASE("runs of different length are compared by rates and shares") {
  RunRecord once = filling_run(400, 40), twice = filling_run(800, 40);
  for (RunRecord* r : {&once, &twice}) {
    r->packets.offered = 2 * r->packets.received;
    r->simulated_seconds = static_cast<double>(r->cycles.core) / 1e6;
    r->engines[0].instructions = 30 * r->packets.received;
    r->memory.sram.references = 7 * r->packets.received;
  }
  const auto cell = [](const RunRecord& r, const char* table, const char* row, const char* column) {
    for (const Table& one : comparable_tables_of(r)) {
      if (one.id == table)
        return std::get<double>(one.find(row, column)->value);
    }
    return -1.0;
  };
  for (const RunRecord* r : {&once, &twice}) {
    CHECK(cell(*r, "packets", "received", "value") == 50);
    CHECK(cell(*r, "packets", "offered", "value") == Approx(20'000).epsilon(0.01));
    CHECK(cell(*r, "engines", "0", "instructions") == 30);
    CHECK(cell(*r, "memory", "sram", "references") == 7);
  }
}

}  // namespace nplab::reports
