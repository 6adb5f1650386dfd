// What a soak is held to, on windows made by hand.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/analysis/soak.h"
#include "tests/reports/sample_records.h"

namespace nplab::reports {
namespace {

// Ten windows of 1000 packets behind one of warm-up, steady in everything.
SoakRecord steady_soak() {
  SoakRecord record;
  record.window_packets = 1000;
  record.buffers = record.free_buffers = 100;
  for (Count i = 1; i <= 11; ++i)
    record.windows.push_back({i * 50'000, 1000, 900, 120'000, {200, 180}});
  record.run = sample_record();
  record.run->packets.in_flight = 0;
  return record;
}

SoakCheck check_named(const SoakRecord& record, const std::string& name) {
  for (const SoakCheck& check : check_soak(record))
    if (check.name == name)
      return check;
  FAIL("there is no check " << name);
  return {};
}

std::vector<std::string> failing(const SoakRecord& record) {
  std::vector<std::string> names;
  for (const SoakCheck& check : check_soak(record))
    if (!check.held)
      names.push_back(check.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a steady soak holds every check") {
  CHECK(failing(steady_soak()) == Names{});
}

TEST_CASE("a rate may be 2 % away from the mean, not more") {
  SoakRecord record = steady_soak();
  // The mean of ten windows is 200 + x / 10, from which the one is 0.9 x away: x = 4.4 gives 1.975
  // %, x = 4.6 2.065 %.
  record.windows[5].rates_mbps.receive = 204.4;
  CHECK(failing(record) == Names{});
  record.windows[5].rates_mbps.receive = 204.6;
  CHECK(failing(record) == Names{"steady receive rate"});
  record.windows[5].rates_mbps.receive = 200;
  record.windows[10].rates_mbps.transmit = 175;
  CHECK(failing(record) == Names{"steady transmit rate"});
}

TEST_CASE("windows before ten packets a buffer are warm-up and may be anything") {
  SoakRecord record = steady_soak();
  CHECK(warm_up_windows(record) == 1);
  record.windows[0].rates_mbps = {20, 0};
  record.windows[0].resident_kb = 1;
  CHECK(failing(record) == Names{});
  record.buffers = record.free_buffers = 101;
  CHECK(warm_up_windows(record) == 2);
}

TEST_CASE("the line through the resident set may rise by 4 MB over all windows, not more") {
  SoakRecord record = steady_soak();
  const auto rise = [&](Count kb) {
    for (std::size_t i = 1; i < record.windows.size(); ++i)
      record.windows[i].resident_kb = 120'000 + (i - 1) * kb;
  };
  rise(455);
  CHECK_THAT(check_named(record, "host memory does not grow").measured,
             Catch::StartsWith("+4095 KB"));
  CHECK(failing(record) == Names{});
  rise(456);
  CHECK(failing(record) == Names{"host memory does not grow"});
}

TEST_CASE("a buffer that does not return, a packet in flight and a failed run each fail the soak") {
  SoakRecord record = steady_soak();
  record.free_buffers = 99;
  CHECK(failing(record) == Names{"no buffer leaks"});
  record = steady_soak();
  record.run->packets.in_flight = 1;
  CHECK(failing(record) == Names{"no packet is in flight"});
  record = steady_soak();
  record.run->failure = Failure{"check", "2 checks failed", {}};
  CHECK(failing(record) == Names{"every check of the run"});
}

TEST_CASE("a soak too short to compare windows says so and fails") {
  SoakRecord record = steady_soak();
  record.windows.resize(2);
  CHECK(failing(record) == Names{"long enough"});
}

TEST_CASE(
    "the soak's JSON holds the windows while it runs, checks and the run's record when it is "
    "over") {
  SoakRecord record = steady_soak();
  const auto whole = nlohmann::json::parse(to_json(record));
  CHECK(whole.at("schema") == "nplab.soak/1");
  CHECK(whole.at("finished") == true);
  CHECK(whole.at("windows").size() == 11);
  CHECK(whole.at("windows")[3].at("end_cycle") == 200'000);
  CHECK(whole.at("windows")[3].at("rates_mbps").at("transmit") == 180);
  CHECK(whole.at("checks").size() == 6);
  CHECK(whole.at("buffers") == nlohmann::json{{"all", 100}, {"free", 100}});
  CHECK(whole.at("run").at("schema") == "nplab.run/1");
  record.run.reset();
  const auto part = nlohmann::json::parse(to_json(record));
  CHECK(part.at("finished") == false);
  CHECK(part.at("windows").size() == 11);
  CHECK_FALSE(part.contains("checks"));
}

}  // namespace nplab::reports
