// What the programs count beside what the simulator saw.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "experiments/run/prepared_run.h"
#include "experiments/run/simulate.h"
#include "simulator/chip/chip_parts.h"

using namespace nplab;
using namespace nplab::experiments;
using mappings::PacketCounters;

namespace {

// A run until nothing is in flight, and its counters in scratch.
struct Counted {
  reports::RunRecord record;
  PacketCounters counters;
  std::map<std::uint32_t, std::uint32_t> scratch;  // by address

  [[nodiscard]] std::uint32_t dropped(unsigned reason) const {
    return scratch.at(counters.dropped(reason));
  }
  // The n-th longword of the port's row.
  [[nodiscard]] std::uint32_t received(unsigned port, unsigned n) const {
    return scratch.at(counters.received(port) + 4 * n);
  }
  [[nodiscard]] std::uint32_t sent(unsigned port, unsigned n) const {
    std::uint32_t sum = 0;
    for (unsigned context = 0; context < counters.contexts; ++context)
      sum += scratch.at(counters.sent(port, context) + 4 * n);
    return sum;
  }
};

Counted run_drained(const std::string& mapping, const std::vector<std::string>& set,
                    const std::string& traffic = "") {
  ExperimentOptions options;
  options.packets = 2000;
  options.drain = true;
  options.set = set;
  if (!traffic.empty())
    options.traffic = {traffic};
  Diagnostics diagnostics;
  const auto prepared = prepare_run(mapping, options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(prepared);
  Counted counted;
  counted.counters = prepared->experiment.placement().counters;
  SimulationRequest request{prepared->experiment, prepared->programs, {}, {}};
  request.settling = 20'000;
  request.inspect = [&counted](const simulator::ChipParts& parts) {
    const PacketCounters& counters = counted.counters;
    for (std::uint32_t at = 0; at < counters.bytes(); at += 4)
      counted.scratch[counters.base + at] = parts.scratch->storage().peek(counters.base + at);
  };
  counted.record = simulate(request, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE_FALSE(counted.record.failure);
  REQUIRE(counted.record.packets.in_flight == 0);
  return counted;
}

// What holds of every drained run: sums over the ports, and each port's own.
void check_counters(const Counted& run) {
  const auto& record = run.record;
  std::uint64_t refused = 0;
  for (const auto& port : record.ports) {
    const auto id = static_cast<unsigned>(port.id);
    INFO("port " << id);
    CHECK(run.received(id, 0) + run.received(id, 2) == port.received);
    CHECK(run.received(id, 3) == 0);
    CHECK(run.sent(id, 0) == port.sent);
    CHECK(run.sent(id, 1) == port.frame_bytes.transmit);
    refused += run.received(id, 2);
    if (run.received(id, 2) == 0)
      CHECK(run.received(id, 1) == port.frame_bytes.receive);
  }
  const auto other = [&](const std::string& reason) {
    const auto found = record.packets.dropped_other.find(reason);
    return found == record.packets.dropped_other.end() ? 0 : found->second;
  };
  CHECK(run.dropped(1) == record.packets.dropped_queue_full);
  CHECK(run.dropped(2) == other("no_buffer"));
  CHECK(run.dropped(3) == record.packets.denied);
  CHECK(run.dropped(4) == record.packets.no_match);
  CHECK(run.dropped(5) == other("bad_frame"));
  CHECK(refused == other("no_buffer") + other("bad_frame"));
}

}  // namespace

TEST_CASE("the counters of every port are those of the record when nothing is dropped") {
  const Counted run = run_drained("bv1", {"tuning.receive_work=0", "tuning.transmit_work=0"});
  check_counters(run);
  CHECK(run.record.packets.sent == 2000);
}

TEST_CASE("frames of several mpackets are counted once, with their bytes") {
  const Counted run = run_drained("bv2", {"workload.frame_bytes=300", "tuning.receive_work=0"});
  check_counters(run);
  CHECK(run.record.packets.sent > 0);
}

TEST_CASE("packets that a full queue refuses are counted by reason") {
  const Counted run =
      run_drained("bv2", {"queues.received.entries=8", "queues.found1.entries=8",
                          "queues.found2.entries=8", "queues.found3.entries=8",
                          "queues.classified.entries=8", "tuning.transmit_work=512"});
  check_counters(run);
  CHECK(run.record.packets.dropped_queue_full > 0);
}

TEST_CASE("packets that find no buffer are counted by port and by reason") {
  const Counted run = run_drained("bv1", {"buffers=8", "tuning.receive_work=0"});
  check_counters(run);
  CHECK(run.record.packets.dropped_other.count("no_buffer") == 1);
}

TEST_CASE("frames that end damaged are counted by port and by reason") {
  const Counted run =
      run_drained("bv1", {"workload.frame_bytes=200", "chip.media.receive_buffer=128",
                          "chip.sdram.pipeline_latency=100", "tuning.receive_work=512"});
  check_counters(run);
  CHECK(run.record.packets.dropped_other.count("bad_frame") == 1);
}
