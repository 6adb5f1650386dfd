// The checker of command traces: silent about what the model issues, and loud about every mutation.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "simulator/dram/synthetic_load.h"
#include "tests/simulator/dram/dram_bench.h"

namespace nplab::test {
namespace {

std::set<std::string> rules_of(const std::vector<Violation>& found) {
  std::set<std::string> rules;
  for (const Violation& violation : found)
    rules.insert(violation.rule);
  return rules;
}

// No constraint follows from others: each alone decides some command's clock.
Ddr4Timing independent_timing(bool short_ccd) {
  Ddr4Timing timing = ddr4_2666();
  timing.cwl = 17;
  timing.t_rc = 70;
  timing.t_ccd_s = short_ccd ? 2 : 5;
  timing.t_ccd_l = short_ccd ? 3 : 7;
  timing.t_rrd_s = 5;
  return timing;
}

constexpr unsigned kCommands = 20'000;

CheckedMemory checked(const Ddr4Timing& timing) {
  return {two_ranks(), timing, constraints_of(timing), false};
}

IssuedCommand at(Clock clock, DramCommand command, Place place = {}) {
  return {clock, 0, command, place};
}

}  // namespace

TEST_CASE("commands as close as the constraints allow violate nothing") {
  for (const SpeedRow& row : speed_rows())
    for (const Width width : {Width::kX8, Width::kX16}) {
      const Ddr4Timing timing = timing_of(row.speed, Density::k4Gb, width);
      const auto found =
          violations(checked(timing), tight_trace(two_ranks(), constraints_of(timing), 5'000, 7));
      INFO(row.name << ": " << (found.empty() ? "" : found.front().sentence));
      CHECK(found.empty());
    }
}

TEST_CASE("a constraint that the model has one clock too short is found by its name") {
  std::set<std::string> found_rules;
  for (const bool short_ccd : {false, true}) {
    const Ddr4Timing timing = independent_timing(short_ccd);
    const std::vector<Constraint> right = constraints_of(timing);
    REQUIRE(violations(checked(timing), tight_trace(two_ranks(), right, kCommands, 1)).empty());
    for (std::size_t row = 0; row < right.size(); ++row) {
      std::vector<Constraint> mutated = right;
      --mutated[row].clocks;
      const auto rules =
          rules_of(violations(checked(timing), tight_trace(two_ranks(), mutated, kCommands, 1)));
      if (rules.contains(right[row].name))
        found_rules.insert(right[row].name);
    }
  }
  for (const ConstraintRow& row : ddr4_constraints()) {
    INFO(row.name);
    CHECK(found_rules.contains(std::string(row.name)));
  }
}

TEST_CASE("a command that comes one clock early, twice or never is found") {
  const Ddr4Timing timing = ddr4_2666();
  const CheckedMemory memory = checked(timing);
  const std::vector<IssuedCommand> good{
      at(0, DramCommand::kActivate),           at(19, DramCommand::kRead),
      at(43, DramCommand::kPrecharge),         at(62, DramCommand::kActivate, {.row = 3}),
      at(81, DramCommand::kWrite, {.row = 3}), at(119, DramCommand::kPrechargeAll),
      at(138, DramCommand::kRefresh),          at(605, DramCommand::kActivate)};
  REQUIRE(violations(memory, good).empty());
  for (std::size_t i = 1; i < good.size(); ++i) {
    std::vector<IssuedCommand> early = good;
    --early[i].at;
    INFO(i);
    CHECK_FALSE(violations(memory, early).empty());
  }
  for (const std::size_t needed : {0u, 3u, 5u}) {
    std::vector<IssuedCommand> without = good;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(needed));
    CHECK_FALSE(violations(memory, without).empty());
  }
  std::vector<IssuedCommand> twice = good;
  twice.insert(twice.begin() + 4, at(70, DramCommand::kActivate, {.row = 3}));
  CHECK(rules_of(violations(memory, twice)).contains("bank is open"));
}

TEST_CASE("the checker names the rule, both commands and both distances") {
  const auto found =
      violations(checked(ddr4_2666()), {at(0, DramCommand::kActivate), at(18, DramCommand::kRead)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "tRCD");
  CHECK(found[0].sentence ==
        "RD to channel 0, rank 0, group 0, bank 0 in clock 18: 18 clocks after ACT to channel 0, "
        "rank 0, group 0, bank 0 in clock 0, not 19");
}

TEST_CASE("a rank that waits for more than nine refresh intervals is found") {
  CheckedMemory memory = checked(ddr4_2666());
  memory.refreshed = true;
  const Clock interval = 10'398;
  CHECK_FALSE(violations(memory, {at(10 * interval, DramCommand::kRefresh)}).empty());
  std::vector<IssuedCommand> both;
  for (Clock n = 1; n <= 12; ++n)
    for (const unsigned rank : {0u, 1u})
      both.push_back(at(n * interval + rank, DramCommand::kRefresh, {.rank = rank}));
  CHECK(violations(memory, both).empty());
  std::erase_if(both, [](const IssuedCommand& command) { return command.place.rank == 1; });
  CHECK(rules_of(violations(memory, both)) == std::set<std::string>{"tREFI"});
}

TEST_CASE("no run of a controller violates a constraint, whatever its policies") {
  std::uint64_t seed = 1;
  for (unsigned scheduler = 0; scheduler < choice_words(simulator::DramScheduler::Choice()).size();
       ++scheduler)
    for (unsigned page = 0; page < choice_words(PagePolicy::Choice()).size(); ++page)
      for (unsigned mapping = 0; mapping < mapping_rows().size(); ++mapping)
        for (const unsigned ranks : {1u, 2u}) {
          DramDescription description;
          description.organization = {.channels = 2, .ranks = ranks, .rows = 64};
          description.timing = ddr4_2666();
          description.mapping = static_cast<Mapping>(mapping);
          description.controller.scheduler =
              static_cast<simulator::DramScheduler::Choice>(scheduler);
          description.controller.page = static_cast<PagePolicy::Choice>(page);
          DramMemory memory(description);
          RecordedTrace trace;
          memory.observe(&trace);
          run_load(memory,
                   {.in_flight = static_cast<unsigned>(1 + 7 * (seed % 9)),
                    .write_percent = static_cast<unsigned>(seed * 37 % 101),
                    .sequential_percent = static_cast<unsigned>(seed * 53 % 101),
                    .seed = seed,
                    .warm_up = 0,
                    .requests = 4'000},
                   20);
          const auto found = violations({description.organization, description.timing,
                                         constraints_of(description.timing), true},
                                        trace.commands);
          INFO("seed " << seed << ": " << (found.empty() ? "" : found.front().sentence));
          CHECK(trace.commands.size() > 4'000);
          CHECK(found.empty());
          ++seed;
        }
}

TEST_CASE("controllers whose table is mutated issue what the checker refuses") {
  DramDescription description;
  description.organization.rows = 64;
  description.timing = ddr4_2666();
  const std::vector<Constraint> right = constraints_of(description.timing);
  // Those that a controller's own commands run into; the random commands above find all.
  for (const std::string name :
       {"tCCD_L of reads", "tCCD_S of writes", "read to write: CL + BL/2 + 2 - CWL",
        "tWTR_L: CWL + BL/2 + tWTR_L", "tRCD", "tRAS", "tFAW", "tRRD_S", "tRP", "tRTP",
        "tWR: CWL + BL/2 + tWR", "tRFC"}) {
    std::vector<Constraint> mutated = right;
    for (Constraint& row : mutated)
      if (row.name == name || (name == "tCCD_S of writes" && row.name == "BL/2 of writes"))
        row.clocks -= name == "tRAS" ? 12 : 1;
    DramMemory memory(description, mutated);
    RecordedTrace trace;
    memory.observe(&trace);
    run_load(memory, {.warm_up = 0, .requests = 40'000}, 20);
    INFO(name);
    CHECK(rules_of(violations({description.organization, description.timing, right, true},
                              trace.commands))
              .contains(name));
  }
}

TEST_CASE("a trace is read as it was written") {
  const std::vector<IssuedCommand> trace =
      tight_trace(two_ranks(), constraints_of(ddr4_2666()), 500, 3);
  for (IssuedCommand command : trace) {
    if (command.command == DramCommand::kPrecharge)
      command.place.row = 0;
    if (!has(kColumns, command.command))
      command.place.column = 0;
    CHECK(from_line(to_line(command)) == command);
  }
  CHECK(to_line({35, 1, DramCommand::kActivate, {0, 2, 3, 77, 0}}) ==
        "35, ACT, 1, 0, 2, 3, 77, -1");
  CHECK(to_line({35, 0, DramCommand::kRefresh, {.rank = 1}}) == "35, REFab, 0, 1, -1, -1, -1, -1");
  CHECK(to_drampower_line({35, 0, DramCommand::kWriteAuto, {1, 2, 3, 77, 5}}, {}) == "35,WRA,11");
  for (const char* bad :
       {"", "35", "x, ACT, 0, 0, 0, 0, 0, -1", "35, NOP, 0, 0, 0, 0, 0, -1",
        "35, ACT, 0, 0, 0, 0, 0", "35, ACT, 0, 0, 0, 0, 0, -1, 4", "35, ACT, 0, 0, 0, -2, 0, -1"})
    CHECK_FALSE(from_line(bad));
}

}  // namespace nplab::test
