// Chips and programs that a platform of the user's loads by name (nplab/systemc/program.h).
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "nplab/systemc/chip.h"

using namespace nplab;
using Catch::Contains;

namespace {

// The text of the error report that `load` ends with.
template <class Load>
std::string report_of(Load load) {
  sc_core::sc_report_handler::set_actions("/nplab/load", sc_core::SC_THROW);
  try {
    load();
  } catch (const sc_core::sc_report& report) {
    CHECK(report.get_msg_type() == std::string("/nplab/load"));
    CHECK(report.get_severity() == sc_core::SC_ERROR);
    return report.get_msg();
  }
  return "no report";
}

}  // namespace

TEST_CASE("what is wrong with a chip is one report with all of it") {
  CHECK_THAT(report_of([] { load_chip("ixp1201"); }), Contains("ixp1200"));
  const std::string figures =
      report_of([] { load_chip("ixp1200", {"engine.engines=99", "engine.contexts=99"}); });
  CHECK_THAT(figures,
             Contains("engines: 99 is out of range") && Contains("contexts: 99 is out of range"));
  const std::string ranges = report_of([] {
    load_chip("ixp1200", {"sram.device0={name: one, base: 0x1000, bytes: 0x100}",
                          "sram.device1={name: two, base: 0x10fc, bytes: 4}"});
  });
  CHECK_THAT(ranges, Contains("overlaps that of device0, 0x1000 to 0x1100"));
}

TEST_CASE("what is wrong with a program's options is one report with all of it") {
  const systemc::ChipModel chip = load_chip("ixp1200");
  systemc::ProgramOptions options;
  options.l4_key = "sometimes";
  options.arrival = "never";
  const std::string report = report_of([&] { load_program("bv1", chip, options); });
  CHECK_THAT(report, Contains("'sometimes' is none of transport, always, fragments"));
  CHECK_THAT(report, Contains("arrival"));
  CHECK_THAT(report_of([&] { load_program("bv11", chip); }), Contains("bv1"));
}

TEST_CASE("a platform's program needs no unit for a device, since a module is bound there") {
  const systemc::ChipModel chip =
      load_chip("ixp1200", {"sram.device0={name: unit, base: 0x700000, bytes: 0x100}"});
  CHECK(load_program("ls", chip).table("rules"));
}

TEST_CASE("the rules that match a frame begin with the classifier's answer") {
  const systemc::ChipModel chip = load_chip("ixp1200");
  systemc::ProgramOptions options;
  options.rules = "gen:acl,count=50";
  options.traffic = "gen:hit=0.7,count=200";
  const systemc::Program program = load_program("ls", chip, options);
  CHECK(program.updater() == nullptr);
  CHECK(program.updates().empty());
  CHECK(program.in_force_at_start() == std::vector<bool>(50, true));
  REQUIRE(program.frames() == 200);
  std::size_t matched = 0;
  for (std::size_t i = 0; i < program.frames(); ++i) {
    const auto frame = program.frame(i);
    const auto matches = program.matches(frame.data(), frame.size());
    const auto first = program.classify(frame.data(), frame.size());
    CHECK((matches.empty() ? std::nullopt : std::optional(matches.front())) == first);
    CHECK(std::is_sorted(matches.begin(), matches.end()));
    matched += matches.empty() ? 0 : 1;
  }
  CHECK(matched > 100);
}

TEST_CASE("an updater says where the match unit counts each rule, and tables of software nowhere") {
  systemc::ProgramOptions options;
  options.rules = "gen:acl,count=30";
  options.updates = "gen:count=10,absent=0.3";
  const systemc::ChipModel chip = load_chip("ixp1200-match");
  const systemc::Program program = load_program("tss-unit", chip, options);
  const auto tables = program.updater();
  REQUIRE(tables != nullptr);
  const auto mailboxes = program.table("mailboxes");
  REQUIRE(mailboxes);
  std::size_t counted = 0;
  for (std::uint32_t rule = 0; rule < 30; ++rule) {
    const auto reads = tables->counters(rule);
    counted += reads.empty() ? 0 : 1;
    if (!program.in_force_at_start()[rule])
      CHECK(reads.empty());
    for (const systemc::CounterRead& read : reads) {
      REQUIRE(read.request.size() == 2);
      CHECK(read.outcome.longwords.empty());
      CHECK(read.counters.longwords.empty());
      CHECK(read.counters.memory == "sram");
      CHECK(read.counters.address >= mailboxes->base);
    }
  }
  CHECK(counted > 10);
  const systemc::Program software = load_program("tss-data", load_chip("ixp1200"), options);
  for (std::uint32_t rule = 0; rule < 30; ++rule)
    CHECK(software.updater()->counters(rule).empty());
}

TEST_CASE("an updater says what each planned update writes, link last") {
  const systemc::ChipModel chip = load_chip("ixp1200");
  systemc::ProgramOptions options;
  options.rules = "gen:acl,count=60";
  options.updates = "gen:count=40,absent=0.3";
  const systemc::Program program = load_program("tss-data", chip, options);
  const auto tables = program.updater();
  REQUIRE(tables != nullptr);
  REQUIRE(program.updates().size() == 40);
  REQUIRE(program.table("readers"));
  std::vector<bool> in_force = program.in_force_at_start();
  CHECK(std::count(in_force.begin(), in_force.end(), false) > 0);
  std::set<std::uint32_t> links;
  for (const systemc::RuleUpdate& update : program.updates()) {
    const bool inserts = update.kind == systemc::RuleUpdate::Kind::kInsert;
    CHECK(in_force[update.rule] == !inserts);
    in_force[update.rule] = inserts;
    const auto change =
        inserts ? tables->insert(update.rule) : std::optional(tables->erase(update.rule));
    REQUIRE(change);
    CHECK(change->link.longwords.size() == 1);
    CHECK(change->preparation.empty() == !inserts);
    for (const systemc::TableWrite& write : change->preparation) {
      CHECK(write.longwords.size() <= 8);
      CHECK((write.memory != change->link.memory || write.address != change->link.address));
    }
    links.insert(change->link.address);
    tables->reclaim();
  }
  CHECK(links.size() > 1);
}
