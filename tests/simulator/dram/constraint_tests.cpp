// The timing of DDR4: its figures, and every constraint to the clock.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/simulator/dram/dram_bench.h"

namespace nplab::test {
namespace {

using enum DramCommand;

constexpr Place kHere{.rank = 0, .group = 0, .bank = 0, .row = 1};
constexpr Place kBesides{.rank = 0, .group = 0, .bank = 1, .row = 1};  // another bank
constexpr Place kOtherGroup{.rank = 0, .group = 1, .bank = 0, .row = 1};
constexpr Place kOtherRank{.rank = 1, .group = 0, .bank = 0, .row = 1};

struct Expected {
  const char* rule;
  DramCommand from;
  DramCommand to;
  Place to_place;
  Clock clocks;
};

// By hand from the figures of DDR4-2666V, 8 Gb, x8: CL 19, CWL 14, BL/2 4, tRCD = tRP = 19, tRAS
// 43, tRC 62, tRRD 4/7, tCCD 4/7, tWTR 4/10, tWR 20, tRTP 10, tRFC 467, and 2 clocks between ranks.
const std::vector<Expected> kExpected{
    {"command bus", kActivate, kRead, kOtherRank, 1},
    {"BL/2 of reads", kRead, kRead, kOtherGroup, 4},
    {"BL/2 of writes", kWrite, kWrite, kOtherGroup, 4},
    {"tCCD_S of reads", kRead, kReadAuto, kOtherGroup, 4},
    {"tCCD_S of writes", kWrite, kWriteAuto, kOtherGroup, 4},
    {"tCCD_L of reads", kReadAuto, kRead, kBesides, 7},
    {"tCCD_L of writes", kWriteAuto, kWrite, kBesides, 7},
    {"read to write: CL + BL/2 + 2 - CWL", kRead, kWrite, kOtherGroup, 11},
    {"tWTR_S: CWL + BL/2 + tWTR_S", kWrite, kRead, kOtherGroup, 22},
    {"tWTR_L: CWL + BL/2 + tWTR_L", kWrite, kRead, kBesides, 28},
    {"reads of two ranks: BL/2 + tCS", kRead, kRead, kOtherRank, 6},
    {"writes of two ranks: BL/2 + tCS", kWrite, kWrite, kOtherRank, 6},
    {"read to write of two ranks", kRead, kWrite, kOtherRank, 11},
    {"write to read of two ranks", kWrite, kRead, kOtherRank, 1},
    {"tRCD", kActivate, kRead, kHere, 19},
    {"tRCD", kActivate, kWrite, kHere, 19},
    {"tRAS", kActivate, kPrecharge, kHere, 43},
    {"tRAS, all banks", kActivate, kPrechargeAll, {}, 43},
    {"tRC", kActivate, kActivate, kHere, 62},
    {"tRRD_S", kActivate, kActivate, kOtherGroup, 4},
    {"tRRD_L", kActivate, kActivate, kBesides, 7},
    {"tRP", kPrecharge, kActivate, kHere, 19},
    {"tRP, all banks", kPrechargeAll, kActivate, kBesides, 19},
    {"tRTP", kRead, kPrecharge, kHere, 10},
    {"tRTP, all banks", kRead, kPrechargeAll, {}, 10},
    {"tWR: CWL + BL/2 + tWR", kWrite, kPrecharge, kHere, 38},
    {"tWR, all banks: CWL + BL/2 + tWR", kWrite, kPrechargeAll, {}, 38},
    {"auto-precharge of a read: tRTP + tRP", kReadAuto, kActivate, kHere, 29},
    {"auto-precharge of a write: CWL + BL/2 + tWR + tRP", kWriteAuto, kActivate, kHere, 57},
    {"tRC before a refresh", kActivate, kRefresh, {}, 62},
    {"tRP before a refresh", kPrecharge, kRefresh, {}, 19},
    {"tRP before a refresh", kPrechargeAll, kRefresh, {}, 19},
    {"auto-precharge of a read before a refresh", kReadAuto, kRefresh, {}, 29},
    {"auto-precharge of a write before a refresh", kWriteAuto, kRefresh, {}, 57},
    {"tRFC", kRefresh, kActivate, kHere, 467},
    {"tRFC", kRefresh, kRefresh, {}, 467},
};

constexpr Clock kLongBefore = 0, kFirst = 2'000;

// Brings the banks to where `from` and then `to` find them, long before.
void open_rows(DeviceTiming& device, const Expected& expected) {
  const bool wants_open = has(kColumns, expected.from);
  if (wants_open)
    device.issue(kActivate, kHere, kLongBefore);
  if (has(kColumns, expected.to) && expected.to_place != kHere)
    device.issue(kActivate, expected.to_place, kLongBefore + 500);
}

// What `to` needs of its bank's state besides time.
void prepare_bank(DeviceTiming& device, const Expected& expected) {
  if (expected.from == kActivate && expected.to == kActivate && expected.to_place == kHere)
    device.issue(kPrecharge, kHere, kFirst + 43);
  if (expected.from == kActivate && expected.to == kRefresh)
    device.issue(kPrechargeAll, {}, kFirst + 43);
}

bool refused_then_accepted(const std::vector<Constraint>& constraints, const Expected& expected) {
  DeviceTiming device(two_ranks(), constraints);
  open_rows(device, expected);
  device.issue(expected.from, kHere, kFirst);
  prepare_bank(device, expected);
  const Clock at = kFirst + expected.clocks;
  return !device.allows(expected.to, expected.to_place, at - 1) &&
         device.allows(expected.to, expected.to_place, at);
}

std::vector<Constraint> only_rule(const std::vector<Constraint>& all, const std::string& name) {
  std::vector<Constraint> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&name](const Constraint& row) { return row.name == name; });
  return found;
}

Place of_scope(Scope scope) {
  switch (scope) {
    case Scope::kBank: return kHere;
    case Scope::kGroup: return kBesides;
    case Scope::kOtherRank: return kOtherRank;
    default: return kOtherGroup;
  }
}

}  // namespace

TEST_CASE("every constraint of DDR4 refuses a command a clock early and accepts it in its clock") {
  const std::vector<Constraint> all = constraints_of(ddr4_2666());
  for (const Expected& expected : kExpected) {
    INFO(expected.rule);
    const std::vector<Constraint> alone = only_rule(all, expected.rule);
    REQUIRE(alone.size() == 1);
    CHECK(refused_then_accepted(alone, expected));
    CHECK(refused_then_accepted(all, expected));
  }
}

TEST_CASE("no constraint is without an expectation by hand") {
  for (const ConstraintRow& row : ddr4_constraints()) {
    INFO(row.name);
    CHECK((row.name == "tFAW" ||
           std::any_of(kExpected.begin(), kExpected.end(),
                       [&row](const Expected& expected) { return expected.rule == row.name; })));
    CHECK_FALSE(row.source.empty());
  }
}

TEST_CASE("tFAW refuses the fifth activation of a rank and accepts it 28 clocks after the first") {
  DeviceTiming device({.ranks = 2}, constraints_of(ddr4_2666()));
  for (unsigned group = 0; group < 4; ++group)
    device.issue(kActivate, {.group = group}, 100 + 4 * group);
  const Place fifth{.group = 0, .bank = 1};
  CHECK_FALSE(device.allows(kActivate, fifth, 127));
  CHECK(device.allows(kActivate, fifth, 128));
  // Another rank has its own four.
  CHECK(device.allows(kActivate, {.rank = 1}, 113));
  // After the fifth the second counts.
  device.issue(kActivate, fifth, 128);
  CHECK_FALSE(device.allows(kActivate, {.group = 1, .bank = 1}, 131));
  CHECK(device.allows(kActivate, {.group = 1, .bank = 1}, 132));
}

TEST_CASE("every constraint of every speed, density and width holds to the clock") {
  for (const SpeedRow& speed : speed_rows())
    for (const Density density : {Density::k4Gb, Density::k8Gb, Density::k16Gb})
      for (const Width width : {Width::kX4, Width::kX8, Width::kX16})
        for (const Constraint& row : constraints_of(timing_of(speed.speed, density, width))) {
          for (unsigned from = 0; from < kDramCommands; ++from) {
            const auto first = static_cast<DramCommand>(from);
            if (!has(row.from, first))
              continue;
            DeviceTiming fresh(two_ranks(), {row});
            if (has(kColumns, first))
              fresh.issue(kActivate, kHere, -5'000);
            for (unsigned n = 0; n < row.count; ++n)
              fresh.issue(first, row.count == 1 ? kHere : Place{.group = n % 2, .bank = n / 2},
                          kFirst + n);
            for (unsigned to = 0; to < kDramCommands; ++to)
              if (has(row.to, static_cast<DramCommand>(to)))
                CHECK(fresh.earliest(static_cast<DramCommand>(to), of_scope(row.scope)) ==
                      kFirst + static_cast<Clock>(row.clocks));
          }
        }
}

TEST_CASE("a refresh takes the time of the density, rounded up to clocks") {
  const auto clocks = [](Speed speed, Density density) {
    return timing_of(speed, density, Width::kX8).t_rfc;
  };
  using enum Density;
  // 260, 350 and 550 ns.
  const std::vector<std::pair<Speed, std::vector<unsigned>>> expected{
      {Speed::k2133, {278, 374, 587}},
      {Speed::k2400, {312, 420, 660}},
      {Speed::k2666, {347, 467, 734}},
      {Speed::k2933, {382, 514, 807}},
      {Speed::k3200, {416, 560, 880}}};
  for (const auto& [speed, of] : expected)
    CHECK(std::vector{clocks(speed, k4Gb), clocks(speed, k8Gb), clocks(speed, k16Gb)} == of);
}

TEST_CASE("every speed's figures fit together") {
  for (const SpeedRow& row : speed_rows())
    for (const Width width : {Width::kX4, Width::kX8, Width::kX16}) {
      INFO(row.name);
      const Ddr4Timing timing = timing_of(row.speed, Density::k8Gb, width);
      CHECK(timing.t_rc == timing.t_ras + timing.t_rp);
      CHECK(timing.t_ccd_s >= timing.burst);
      CHECK(timing.t_ccd_l >= timing.t_ccd_s);
      CHECK(timing.t_rrd_l >= timing.t_rrd_s);
      CHECK(timing.t_wtr_l >= timing.t_wtr_s);
      CHECK(timing.t_faw >= 4 * timing.t_rrd_s - timing.t_rrd_s);
      // 7.8 us to within the two clocks that the published part has less.
      const double microseconds = timing.t_refi * 15.0 / row.fifteenths / 1000;
      CHECK(microseconds == Approx(7.8).epsilon(0.0003));
      CHECK_FALSE(row.source.empty());
    }
}

TEST_CASE("a bank's state refuses what its row does not allow") {
  DeviceTiming device(two_ranks(), constraints_of(ddr4_2666()));
  CHECK_FALSE(device.allows(kRead, kHere, 1'000));
  device.issue(kActivate, kHere, 1'000);
  CHECK_FALSE(device.allows(kActivate, kHere, 5'000));
  CHECK_FALSE(device.allows(kRefresh, {}, 5'000));
  CHECK(device.allows(kRefresh, {.rank = 1}, 5'000));
  Place other_row = kHere;
  other_row.row = 2;
  CHECK_FALSE(device.allows(kRead, other_row, 5'000));
  device.issue(kPrechargeAll, {}, 5'000);
  CHECK_FALSE(device.allows(kRead, kHere, 9'000));
  CHECK(device.allows(kRefresh, {}, 9'000));
}

}  // namespace nplab::test
