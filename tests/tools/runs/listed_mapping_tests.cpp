// Every mapping that `nplab list` names, those of folders added later too, on rule sets of five
// fields.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kLossless{"--arrival", "lossless", "--drain"};

// With hundreds of rules LS takes seconds a packet with the copies of the published code, which
// change no answer.
Words words_of(const std::string& mapping) {
  if (mapping != "ls")
    return {mapping};
  return {mapping, "--set", "parameters.access_longwords=1", "--set", "parameters.whole_record=0"};
}

// What is beyond a shipped mapping: sets of these names must be refused in these words. Nothing
// else may be refused.
struct Refusal {
  const char* mappings;  // how their names begin
  const char* sets;      // the names are searched for it
  const char* words;
};
constexpr const char* kTooManyNodes = "have more than 4194304 nodes x 16 bytes";
constexpr Refusal kRefusals[] = {{"ls", "_5000", "rules; linear-search takes up to 2048"},
                                 {"ls", "count=10000", "rules; linear-search takes up to 2048"},
                                 {"bv", "000", "rules; bit-vector takes up to 512"},
                                 {"rfc", "fw,count=10000", "more than 1 GiB of sets of rules"},
                                 {"rfc", "fw1_5000", "more than 1 GiB of sets of rules"},
                                 {"rfc", "ipc,count=10000", "exceeds what is left of 16777216"},
                                 {"rfc", "ipc1_5000", "exceeds what is left of 16777216"},
                                 {"set-pruning", "fw,count=10000", kTooManyNodes},
                                 {"set-pruning", "ipc,count=10000", kTooManyNodes},
                                 {"set-pruning", "fw1_5000", kTooManyNodes}};

// A scan of thousands of rules takes a linear search some hundred thousand cycles per packet.
const char* packets_for(const std::string& mapping, const std::string& set) {
  const bool is_slow = mapping.starts_with("ls") && set.find("000") != std::string::npos;
  return is_slow ? "100" : "500";
}

const Refusal* expected_refusal(const std::string& mapping, const std::string& set) {
  for (const Refusal& refusal : kRefusals) {
    if (mapping.starts_with(refusal.mappings) && set.find(refusal.sets) != std::string::npos)
      return &refusal;
  }
  return nullptr;
}

void check_answers(const std::string& mapping, const std::string& rules,
                   const std::string& traffic) {
  INFO(mapping << " " << rules << " " << traffic);
  const Words input{"--rules", rules,       "--traffic",
                    traffic,   "--packets", packets_for(mapping, rules)};
  if (const Refusal* refusal = expected_refusal(mapping, rules)) {
    const Outcome check = call_nplab(Words{"check"} + words_of(mapping) + input);
    CHECK(check.status == 2);
    CHECK_THAT(check.err, Contains(refusal->words));
    return;
  }
  const auto record = record_of(words_of(mapping) + input + kLossless);
  check_record(record);
  check_all_classified(record);
}

void check_set(const std::string& mapping, const std::string& set, const std::string& kind) {
  check_answers(mapping, shared_file("classbench/" + set + ".rules.xz"),
                shared_file("classbench/" + set + "." + kind + ".xz"));
}

}  // namespace

TEST_CASE(
    "every listed mapping answers generated rules and headers as a scan of the rules answers them",
    "[listed]") {
  const GeneratedInput input(11, 60, 200);
  const ScratchFolder folder;
  const std::string rules = folder.write("r.rules", input.rules_text());
  const std::string trace = folder.write("r.trace", input.trace_text());
  const Answers answers = input.answers();
  for (const std::string& mapping : listed_mappings()) {
    INFO(mapping);
    const auto record =
        record_of(words_of(mapping) +
                  Words{"--rules", rules, "--traffic", trace, "--packets", "0"} + kLossless);
    check_record(record);
    check_all_classified(record);
    CHECK(record.at("packets").at("sent") == answers.allowed);
    CHECK(record.at("packets").at("denied") == answers.denied);
    CHECK(record.at("packets").at("no_match") == answers.no_match);
  }
}

namespace {

// The data-parallel mapping of each algorithm for the IXP1200.
Words data_parallel_mappings() {
  Words found{"ls", "bv1"};
  for (const std::string& mapping : listed_mappings()) {
    if (mapping.ends_with("-data") && mapping.find("-cmp-") == std::string::npos)
      found.push_back(mapping);
  }
  return found;
}

void check_threads(const std::vector<int>& counts) {
  const GeneratedInput input(12, 60, 200);
  const ScratchFolder folder;
  const Words files{"--rules", folder.write("r.rules", input.rules_text()), "--traffic",
                    folder.write("r.trace", input.trace_text())};
  for (const std::string& mapping : data_parallel_mappings()) {
    for (const int threads : counts) {
      INFO(mapping << " on " << threads << " threads");
      // Six engines between the one that receives and the one that transmits.
      const auto record = record_of(words_of(mapping) + files + kLossless +
                                    Words{"--packets", "0", "--chip", "cmp-io", "--set",
                                          "stages.classify.engines=[1, 2, 3, 4, 6, 7]", "--set",
                                          "stages.classify.placement=striped", "--set",
                                          "stages.classify.threads=" + std::to_string(threads)});
      check_record(record);
      check_all_classified(record);
    }
  }
}

}  // namespace

TEST_CASE("every data-parallel mapping is right on 24 threads", "[listed]") {
  check_threads({24});
}

TEST_CASE("every data-parallel mapping is right on 1 to 23 threads", "[full][listed]") {
  check_threads({1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 16, 17, 20, 23});
}

TEST_CASE("every listed mapping classifies headers of twelve ClassBench sets right",
          "[full][listed_sets]") {
  if (shared_file("classbench/acl1_100.rules.xz").empty())
    return;
  for (const char* profile : {"acl1", "acl3", "fw1", "ipc1"}) {
    for (const char* size : {"_100", "_500", "_1000"}) {
      for (const std::string& mapping : listed_mappings()) {
        check_set(mapping, std::string(profile) + size, "trace");
        check_set(mapping, std::string(profile) + size, "edge");
      }
    }
  }
}

TEST_CASE("every listed mapping classifies headers of lists from practice right",
          "[full][listed_sets]") {
  if (shared_file("real/ugent-inp-upper.rules.xz").empty())
    return;
  for (const char* list : {"homeuser-fwd-upper", "stanford-boza-acl109", "stanford-boza-acl151",
                           "stanford-yoza-acl103", "ugent-inp-upper"}) {
    const std::string file = std::string("real/") + list;
    for (const std::string& mapping : listed_mappings())
      check_answers(mapping, shared_file(file + ".rules.xz"), shared_file(file + ".trace.xz"));
  }
}

TEST_CASE("every listed mapping classifies headers of sets of 5,000 and 10,000 rules right",
          "[full][listed_large]") {
  for (const std::string& mapping : listed_mappings()) {
    for (const char* profile : {"acl", "fw", "ipc"})
      check_answers(mapping, std::string("gen:") + profile + ",count=10000",
                    "gen:hit=0.9,locality=1,count=500");
    if (shared_file("classbench/acl1_5000.rules.xz").empty()) {
      WARN("the ClassBench sets are not there (NPLAB_SHARED names their folder): not tested");
      continue;
    }
    for (const char* set : {"acl1_5000", "fw1_5000", "ipc1_5000"})
      check_set(mapping, set, "trace");
  }
}
