// Rules that are inserted and deleted while the engines classify.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

using Count = std::uint64_t;

Count count(const nlohmann::json& record, const char* key) {
  return record.at("updates").at(key).get<Count>();
}

// Rules and headers of five fields, in files.
class Input {
 public:
  explicit Input(std::uint64_t seed, std::size_t rules = 120) {
    const GeneratedInput input(seed, rules, 2000);
    rules_ = folder_.write("r.rules", input.rules_text());
    trace_ = folder_.write("r.trace", input.trace_text());
  }
  [[nodiscard]] Words words() const { return {"--rules", rules_, "--traffic", trace_}; }
  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  std::string rules_;
  std::string trace_;
};

// Rules of four tuples, of which each header of a network matches up to four: a host's service, the
// host, its network and everything.
std::string nested_rules() {
  std::string services, hosts, networks;
  for (int network = 0; network < 6; ++network) {
    networks += fmt::format("@10.{}.0.0/16 0.0.0.0/0 0 : 65535 0 : 65535 0x00/0x00 {}\n", network,
                            network % 2 == 0 ? "allow" : "deny");
    for (int host = 0; host < 3; ++host) {
      const std::string prefix = fmt::format("@10.{}.{}.0/24 0.0.0.0/0 0 : 65535", network, host);
      services += fmt::format("{} 80 : 80 0x06/0xFF allow\n", prefix);
      hosts += fmt::format("{} 0 : 65535 0x00/0x00 {}\n", prefix, host % 2 == 0 ? "deny" : "allow");
    }
  }
  return services + hosts + networks + "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x00/0x00 deny\n";
}

}  // namespace

TEST_CASE("10,000 inserts and 10,000 deletes at full load leave no packet classified wrongly",
          "[updates]") {
  // As many packets as the updates last, and some.
  const auto [mapping, packets] =
      GENERATE(table<std::string, std::string>({{"tss-data", "20300"}, {"tm-data", "19500"}}));
  const ScratchFolder folder;
  const std::string rules = folder.write("r.rules", nested_rules());
  const auto record =
      record_of({mapping, "--rules", rules, "--traffic", "gen:count=6000", "--packets", packets,
                 "--updates", "gen:rate=max,count=20000,absent=0.5"});
  INFO(mapping << ": " << record.at("updates").dump());
  check_record(record);
  CHECK(count(record, "inserts") == 10000);
  CHECK(count(record, "deletes") == 10000);
  CHECK(count(record, "rules_at_start") == count(record, "rules_at_stop"));
  INFO("the engines were busy all the while, and answers did change under way");
  CHECK(count(record, "last_cycle") < record.at("cycles").at("core").get<Count>());
  CHECK(count(record, "last_cycle") > record.at("cycles").at("core").get<Count>() * 9 / 10);
  CHECK(count(record, "contested_packets") > 1000);
  CHECK(count(record, "waits") > 1000);
  CHECK(record.at("updates").at("updates_per_s").get<double>() > 100'000);
}

TEST_CASE("pruned and precomputed searches stay right while rules come and go", "[updates]") {
  const std::string mapping = GENERATE("pruning-data", "precomputation-data");
  const ScratchFolder folder;
  const std::string rules = folder.write("r.rules", nested_rules());
  const auto record =
      record_of({mapping, "--rules", rules, "--traffic", "gen:count=4000", "--packets", "8000",
                 "--updates", "gen:rate=max,count=20000,absent=0.5"});
  INFO(mapping << ": " << record.at("updates").dump());
  check_record(record);
  CHECK(count(record, "inserts") + count(record, "deletes") > 1000);
  CHECK(count(record, "contested_packets") > 100);
}

TEST_CASE("updates of a pipeline wait for packets between its stages, too", "[updates]") {
  const std::string mapping = GENERATE("tss-pipe", "tm-pipe");
  const Input input(22);
  const Words updates{"--updates", "gen:rate=max,count=2000,absent=0.3", "--packets", "20000"};
  const auto record = record_of(Words{mapping} + updates + input.words());
  check_record(record);
  CHECK(count(record, "contested_packets") > 0);
  CHECK(count(record, "inserts") + count(record, "deletes") > 100);
}

TEST_CASE("updates come at the same cycles in lockstep and in windows", "[updates]") {
  const std::string mapping = GENERATE("tss-data", "tm-pipe");
  const Input input(23);
  const Words updates{"--updates", "gen:rate=200000,count=400,absent=0.3,work=100", "--packets",
                      "1500"};
  const Words words = Words{mapping} + updates + input.words();
  auto windows = record_of(words);
  auto lockstep = record_of(words + Words{"--mode", "lockstep"});
  CHECK(count(windows, "inserts") > 20);
  for (auto* record : {&windows, &lockstep}) {
    for (const char* key : {"mode", "window_cycles", "host"})
      record->erase(key);
  }
  INFO("the parts of the record that differ: " << nlohmann::json::diff(lockstep, windows).dump());
  CHECK(lockstep.dump() == windows.dump());
}

TEST_CASE("a file's rules come and go at their times, by the index that they have among all",
          "[updates]") {
  const ScratchFolder folder;
  const std::string rules =
      folder.write("r.rules", "@1.0.0.0/8 0.0.0.0/0 0 : 65535 0 : 65535 0x00/0x00 allow\n");
  const std::string trace = folder.write("r.trace", "16843009 1 1 1 6\n");  // 1.1.1.1
  const std::string updates = folder.write("u",
                                           "50000 insert stop before 0 1.1.0.0/16 * * * * deny\n"
                                           "300000 delete stop\n");
  const Words words{"tss-data", "--rules", rules, "--traffic", trace, "--updates", updates};
  const auto before = record_of(words + Words{"--packets", "5"});
  CHECK(before.at("packets").at("denied") == 0);
  CHECK(count(before, "inserts") == 0);
  const auto record = record_of(words + Words{"--packets", "2000"});
  CHECK(count(record, "inserts") == 1);
  CHECK(count(record, "deletes") == 1);
  CHECK(count(record, "first_cycle") > 50000);
  CHECK(count(record, "first_cycle") < 52000);
  CHECK(count(record, "last_cycle") > 300000);
  CHECK(count(record, "rules_at_start") == 1);
  CHECK(count(record, "rules_at_stop") == 1);
  CHECK(record.at("packets").at("denied").get<Count>() > 50);
  CHECK(record.at("packets").at("sent").get<Count>() > 50);
  CHECK(record.at("inputs").at("updates").at("sha256").get<std::string>().size() == 64);
}

TEST_CASE("every report tells of updates, and a run without any says nothing of them",
          "[updates]") {
  const Input input(24, 40);
  const std::string csv = input.folder().file("r.csv"), html = input.folder().file("r.html");
  const Words words = Words{"run", "tm-data", "--packets", "800"} + input.words();
  const Outcome with =
      call_nplab(words + Words{"--updates", "gen:count=50", "--csv", csv, "--html", html});
  REQUIRE(with.status == 0);
  CHECK_THAT(with.out, Contains("Rule updates") && Contains("updates per second") &&
                           Contains("updates   gen:count=50"));
  CHECK_THAT(read_text(csv), Contains("updates,tm-data,updates_inserts,value,25,updates"));
  CHECK_THAT(read_text(html), Contains("Rule updates") && Contains("waits for lookups"));
  const Outcome without = call_nplab(words + Words{"--html", html});
  CHECK_THAT(without.out, !Contains("Rule updates"));
  CHECK_THAT(read_text(html), !Contains("Rule updates"));
}

TEST_CASE("updates that cannot be are refused before the run", "[updates]") {
  const Input input(25, 40);
  const auto error_of = [&](const Words& words) {
    const Outcome outcome = call_nplab(Words{"run"} + words + input.words());
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(
      error_of({"hicuts-data", "--updates", "gen:"}),
      Contains("the rules of 'hicuts' stay as they are in a run: a rule is in every leaf that "
               "its ranges cut"));
  CHECK_THAT(error_of({"tss-data", "--updates", "gen:rate=fast"}),
             Contains("--updates: error: expected a number"));
  CHECK_THAT(error_of({"tss-data", "--updates", "absent.file"}), Contains("absent.file"));
  CHECK_THAT(error_of({"tss-pipe", "--updates", "gen:", "--set", "queues.found2.full=drop"}),
             Contains("queue 'found2' drops packets whose lookups have begun"));
  CHECK_THAT(error_of({"tss-data", "--updates", "gen:", "--set", "tables.readers=sram"}),
             Contains("address space"));
  const ScratchFolder folder;
  CHECK_THAT(error_of({"tss-data", "--updates", "gen:", "--chip", "grid", "--json",
                       folder.file("run.json")}),
             Contains("no number left for it after the 64 engines of the chip 'grid'"));
  CHECK(folder.names().empty());
}
