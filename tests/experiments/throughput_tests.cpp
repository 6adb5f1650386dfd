// Which runs count as keeping an offered rate.
#include "experiments/run/throughput.h"

#include <catch2/catch.hpp>

using namespace nplab;

namespace {

reports::RunRecord trial_record(reports::Count lost, reports::Count in_flight_at_end) {
  reports::RunRecord record;
  record.packets.offered = 1000;
  record.packets.missed_by_media = lost;
  record.packets.dropped_other = {{"bad_frame", 5}};
  record.samples.received = {250, 500, 750, 1000};
  record.samples.in_flight = {10, 10, 10, in_flight_at_end};
  return record;
}

}  // namespace

TEST_CASE("a trial fails by lost packets and by packets that pile up, not by frames that are bad",
          "[throughput]") {
  using experiments::judge_trial;
  const auto clean = judge_trial(trial_record(0, 10), 100, {0, 1});
  CHECK(clean.passed);
  CHECK(clean.loss_pct == 0);
  const auto lossy = judge_trial(trial_record(1, 10), 100, {0, 1});
  CHECK_FALSE(lossy.passed);
  CHECK(lossy.loss_pct == Approx(0.1));
  CHECK(judge_trial(trial_record(1, 10), 100, {0.1, 1}).passed);
  const auto growing = judge_trial(trial_record(0, 16), 100, {0, 1});
  CHECK_FALSE(growing.passed);
  CHECK(growing.accumulation_pct == Approx(100.0 * 6 / 250));
}
