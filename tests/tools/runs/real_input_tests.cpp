// Rule sets and traffic as users bring them: every packet classified right by every mapping.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_capture.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;

namespace {

const Words kMappings{"ls", "bv1", "bv2"};
const Words kLossless{"--arrival", "lossless", "--drain"};

// On hundreds of rules LS takes seconds a packet with the copies of the published code, which
// change no answer.
Words mapping_words(const std::string& mapping) {
  if (mapping != "ls")
    return {mapping};
  return {mapping, "--set", "parameters.access_longwords=1", "--set", "parameters.whole_record=0"};
}

void check_collection(const std::string& mapping, const std::string& set, const std::string& kind,
                      unsigned packets) {
  const std::string rules = shared_file("classbench/" + set + ".rules.xz");
  const std::string traffic = shared_file("classbench/" + set + "." + kind + ".xz");
  if (rules.empty() || traffic.empty())
    return;
  INFO(mapping << " " << set << "." << kind);
  const auto record = record_of(
      mapping_words(mapping) +
      Words{"--rules", rules, "--traffic", traffic, "--packets", std::to_string(packets)} +
      kLossless);
  check_record(record);
  check_all_classified(record);
  if (packets > 0)
    CHECK(record.at("packets").at("offered") == packets);
}

void check_capture(const std::string& mapping, const std::string& capture) {
  const std::string rules = shared_file("classbench/acl1_500.rules.xz");
  const std::string traffic = shared_file("pcap/" + capture);
  if (rules.empty() || traffic.empty())
    return;
  const auto record =
      record_of(mapping_words(mapping) +
                Words{"--rules", rules, "--traffic", traffic, "--packets", "0"} + kLossless);
  check_record(record);
  check_all_classified(record);
}

}  // namespace

TEST_CASE("LS classifies headers of the ClassBench sets acl1, fw1 and ipc1 right", "[real_input]") {
  for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"}) {
    // Each packet walks hundreds of rules: 0.1 million cycles.
    check_collection("ls", set, "trace", 100);
    check_collection("ls", set, "edge", 100);
  }
}

TEST_CASE("BV1 classifies headers of the ClassBench sets acl1, fw1 and ipc1 right",
          "[real_input]") {
  for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"}) {
    check_collection("bv1", set, "trace", 200);
    check_collection("bv1", set, "edge", 200);
  }
}

TEST_CASE("BV2 classifies headers of the ClassBench sets acl1, fw1 and ipc1 right",
          "[real_input]") {
  for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"}) {
    check_collection("bv2", set, "trace", 200);
    check_collection("bv2", set, "edge", 200);
  }
}

TEST_CASE("LS classifies a capture of mixed traffic right", "[real_input]") {
  check_capture("ls", "tcpreplay_test.pcap");
}
TEST_CASE("BV1 classifies a capture of mixed traffic right", "[real_input]") {
  check_capture("bv1", "tcpreplay_test.pcap");
}
TEST_CASE("BV2 classifies a capture of mixed traffic right", "[real_input]") {
  check_capture("bv2", "tcpreplay_test.pcap");
}
TEST_CASE("LS classifies a capture of one download right", "[real_input]") {
  check_capture("ls", "zeek_http_bro.org.pcap");
}
TEST_CASE("BV1 classifies a capture of one download right", "[real_input]") {
  check_capture("bv1", "zeek_http_bro.org.pcap");
}
TEST_CASE("BV2 classifies a capture of one download right", "[real_input]") {
  check_capture("bv2", "zeek_http_bro.org.pcap");
}

TEST_CASE("a generated rule set and header trace are answered as a scan of the rules answers them",
          "[real_input]") {
  for (const unsigned seed : {1u, 2u}) {
    const GeneratedInput input(seed, 100, 300);
    const ScratchFolder folder;
    const Words files{"--rules",   folder.write("set.rules", input.rules_text()),
                      "--traffic", folder.write("set.trace", input.trace_text()),
                      "--packets", "0"};
    const Answers expected = input.answers();
    REQUIRE(expected.allowed > 20);
    REQUIRE(expected.denied > 20);
    REQUIRE(expected.no_match > 20);
    for (const std::string& mapping : kMappings) {
      INFO(mapping << ", seed " << seed);
      const auto record = record_of(mapping_words(mapping) + files + kLossless);
      check_all_classified(record);
      CHECK(record.at("packets").at("sent") == expected.allowed);
      CHECK(record.at("packets").at("denied") == expected.denied);
      CHECK(record.at("packets").at("no_match") == expected.no_match);
    }
  }
}

TEST_CASE(
    "a generated capture of frames of many kinds is answered as a scan of the rules answers their "
    "keys",
    "[real_input]") {
  const GeneratedInput input(5, 60, 320);
  const GeneratedCapture capture = capture_of_headers(input);
  REQUIRE(capture.answers.allowed > 20);
  REQUIRE(capture.answers.denied > 20);
  REQUIRE(capture.answers.no_match > 20);
  const ScratchFolder folder;
  const Words files{"--rules",   folder.write("set.rules", input.rules_text()),
                    "--traffic", folder.write("set.pcap", capture.bytes),
                    "--packets", "0"};
  for (const std::string& mapping : kMappings) {
    INFO(mapping);
    const auto record = record_of(mapping_words(mapping) + files + kLossless);
    check_all_classified(record);
    CHECK(record.at("packets").at("offered") == capture.frames);
    CHECK(record.at("packets").at("sent") == capture.answers.allowed);
    CHECK(record.at("packets").at("denied") == capture.answers.denied);
    CHECK(record.at("packets").at("no_match") == capture.answers.no_match);
  }
}

TEST_CASE("rules and traffic compressed with xz are read as they are", "[real_input]") {
  const GeneratedInput input(6, 20, 60);
  const ScratchFolder folder;
  const std::string rules = folder.write("set.rules", input.rules_text());
  const std::string trace = folder.write("set.trace", input.trace_text());
  REQUIRE(run_program("xz", {rules, trace}).status == 0);
  const auto record = record_of(
      Words{"ls", "--rules", rules + ".xz", "--traffic", trace + ".xz", "--packets", "0"} +
      kLossless);
  CHECK(record.at("packets").at("received") == 60);
  CHECK(record.at("packets").at("denied") == input.answers().denied);
}

TEST_CASE("two captures arrive on two ports", "[real_input]") {
  const GeneratedInput input(7, 20, 40);
  const ScratchFolder folder;
  const std::string capture = folder.write("set.pcap", capture_of_headers(input).bytes);
  const auto record =
      record_of(Words{"ls", "--rules", folder.write("set.rules", input.rules_text()), "--traffic",
                      capture, "--traffic", capture, "--ports-in", "1,3", "--packets", "0"} +
                kLossless);
  CHECK(record.at("ports")[1].at("received") == 40);
  CHECK(record.at("ports")[3].at("received") == 40);
  CHECK(record.at("packets").at("received") == 80);
}

TEST_CASE("a workload shorter than --packets repeats from its start", "[real_input]") {
  const GeneratedInput input(3, 20, 50);
  const ScratchFolder folder;
  const auto record =
      record_of(Words{"bv1", "--rules", folder.write("set.rules", input.rules_text()), "--traffic",
                      folder.write("set.trace", input.trace_text()), "--packets", "100"} +
                kLossless);
  const Answers once = input.answers();
  CHECK(record.at("packets").at("received") == 100);
  CHECK(record.at("packets").at("denied") == 2 * once.denied);
  CHECK(record.at("packets").at("no_match") == 2 * once.no_match);
}

TEST_CASE("a rule set of 512 rules is within what both algorithms take", "[real_input]") {
  const GeneratedInput input(4, 512, 40);
  const ScratchFolder folder;
  const Words files{"--rules",   folder.write("set.rules", input.rules_text()),
                    "--traffic", folder.write("set.trace", input.trace_text()),
                    "--packets", "0"};
  for (const std::string& mapping : kMappings) {
    INFO(mapping);
    const auto record = record_of(mapping_words(mapping) + files + kLossless);
    check_all_classified(record);
    CHECK(record.at("packets").at("denied") == input.answers().denied);
  }
}

TEST_CASE("all headers on the rules' edges of the ClassBench sets are classified right",
          "[full][real_edges]") {
  for (const std::string& mapping : kMappings) {
    for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"})
      check_collection(mapping, set, "edge", 0);
  }
}

TEST_CASE("a thousand headers of the traces of the ClassBench sets are classified right",
          "[full][real_traces]") {
  for (const std::string& mapping : kMappings) {
    for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"})
      check_collection(mapping, set, "trace", 1000);
  }
}

TEST_CASE("many generated rule sets are answered as a scan of the rules answers them",
          "[full][real_generated]") {
  for (unsigned seed = 100; seed < 120; ++seed) {
    const GeneratedInput input(seed, 20 + 24 * (seed - 100), 200);
    const ScratchFolder folder;
    const Words files{"--rules",   folder.write("set.rules", input.rules_text()),
                      "--traffic", folder.write("set.trace", input.trace_text()),
                      "--packets", "0"};
    for (const std::string& mapping : kMappings) {
      INFO(mapping << ", seed " << seed);
      const auto record = record_of(mapping_words(mapping) + files + kLossless);
      check_all_classified(record);
      CHECK(record.at("packets").at("denied") == input.answers().denied);
      CHECK(record.at("packets").at("no_match") == input.answers().no_match);
    }
  }
}
