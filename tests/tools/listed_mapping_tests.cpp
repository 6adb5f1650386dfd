// Every mapping that `nplab list` names, those of folders added later too, on rule sets of five fields.
#include <catch2/catch.hpp>

#include "tests/tools/command.h"
#include "tests/tools/generated_input.h"
#include "tests/tools/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kLossless{"--arrival", "lossless", "--drain"};

// With hundreds of rules LS takes seconds a packet with the copies of the published code, which change no answer.
Words words_of(const std::string& mapping) {
  if (mapping != "ls") return {mapping};
  return {mapping, "--set", "parameters.access_longwords=1", "--set", "parameters.whole_record=0"};
}

// What is beyond a shipped mapping: sets of these names must be refused in these words. Nothing else may be refused.
struct Refusal {
  const char* mapping;
  const char* sets;  // the end of their names
  const char* words;
};
constexpr Refusal kRefusals[] = {{"ls", "_1000", "rules; linear-search takes up to 512"},
                                 {"bv1", "_1000", "rules; bit-vector takes up to 512"},
                                 {"bv2", "_1000", "rules; bit-vector takes up to 512"}};

const Refusal* expected_refusal(const std::string& mapping, const std::string& set) {
  for (const Refusal& refusal : kRefusals) {
    if (mapping == refusal.mapping && set.ends_with(refusal.sets)) return &refusal;
  }
  return nullptr;
}

void check_set(const std::string& mapping, const std::string& set, const std::string& kind) {
  const std::string rules = shared_file("classbench/" + set + ".rules.xz");
  const std::string traffic = shared_file("classbench/" + set + "." + kind + ".xz");
  INFO(mapping << " " << set << "." << kind);
  const Words input{"--rules", rules, "--traffic", traffic, "--packets", "500"};
  if (const Refusal* refusal = expected_refusal(mapping, set)) {
    const Outcome check = call_nplab(Words{"check"} + words_of(mapping) + input);
    CHECK(check.status == 2);
    CHECK_THAT(check.err, Contains(refusal->words));
    return;
  }
  const auto record = record_of(words_of(mapping) + input + kLossless);
  check_record(record);
  check_all_classified(record);
}

}  // namespace

TEST_CASE("every listed mapping answers generated rules and headers as a scan of the rules answers them", "[listed]") {
  const GeneratedInput input(11, 60, 200);
  const ScratchFolder folder;
  const std::string rules = folder.write("r.rules", input.rules_text());
  const std::string trace = folder.write("r.trace", input.trace_text());
  const Answers answers = input.answers();
  for (const std::string& mapping : listed_mappings()) {
    INFO(mapping);
    const auto record =
        record_of(words_of(mapping) + Words{"--rules", rules, "--traffic", trace, "--packets", "0"} + kLossless);
    check_record(record);
    check_all_classified(record);
    CHECK(record.at("packets").at("sent") == answers.allowed);
    CHECK(record.at("packets").at("denied") == answers.denied);
    CHECK(record.at("packets").at("no_match") == answers.no_match);
  }
}

TEST_CASE("every listed mapping classifies headers of twelve ClassBench sets right", "[full][listed_sets]") {
  if (shared_file("classbench/acl1_100.rules.xz").empty()) return;
  for (const char* profile : {"acl1", "acl3", "fw1", "ipc1"}) {
    for (const char* size : {"_100", "_500", "_1000"}) {
      for (const std::string& mapping : listed_mappings()) {
        check_set(mapping, std::string(profile) + size, "trace");
        check_set(mapping, std::string(profile) + size, "edge");
      }
    }
  }
}
