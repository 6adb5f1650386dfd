#include "tests/paths.h"
#include "tests/workloads/test_inputs.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "workloads/reference/classifier.h"
#include "workloads/traffic/pcap_writer.h"
#include "workloads/workload.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

const std::string kPublished = source_path("workloads/published.yaml");
const std::string kFiveTupleRules =
    "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF\n"
    "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0/0\n";

WorkloadOptions options_for(const std::string& file = kPublished) {
  WorkloadOptions options;
  options.file = file;
  return options;
}

Workload resolved(const WorkloadOptions& options) {
  Diagnostics diagnostics;
  auto workload = resolve_workload(options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(workload);
  return std::move(*workload);
}

std::string errors_of(const WorkloadOptions& options) {
  Diagnostics diagnostics;
  CHECK_FALSE(resolve_workload(options, diagnostics));
  return diagnostics.to_string();
}

WorkloadOverride change(const std::string& path, const std::string& value) {
  return {path, value, without_lines("--set")};
}

std::string write_capture(const TemporaryFolder& folder, const std::vector<Frame>& frames) {
  PcapWriter writer(folder.file("in.pcap"));
  Diagnostics diagnostics;
  for (const Frame& frame : frames)
    writer.add(0, frame);
  REQUIRE(writer.commit(diagnostics));
  return folder.file("in.pcap");
}

}  // namespace

TEST_CASE("the published rules answer the published vectors") {
  const Workload workload = resolved(options_for());
  const ReferenceClassifier classifier(workload.rules);
  const auto answer = [&](const Key& key) { return classifier.classify(key); };
  CHECK(answer({10, 2, 8}) == RuleIndex(0));
  CHECK(answer({11, 4, 11}) == RuleIndex(0));
  CHECK(answer({4, 8, 1}) == RuleIndex(1));
  CHECK(answer({6, 11, 4}) == RuleIndex(1));
  CHECK(answer({9, 5, 12}) == RuleIndex(2));
  CHECK(answer({11, 7, 14}) == RuleIndex(2));
  CHECK(answer({6, 1, 5}) == RuleIndex(3));
  CHECK(answer({8, 3, 9}) == RuleIndex(3));
  CHECK(answer({12, 4, 11}) == std::nullopt);
  CHECK(answer({10, 5, 11}) == std::nullopt);
  CHECK(answer({0, 0, 0}) == std::nullopt);
  for (const Rule& rule : workload.rules.rules())
    CHECK(rule.action == Action::allow());
}

TEST_CASE(
    "the published stream is 75,000 distinct frames of 64 bytes that all hit, back to back, the "
    "rules evenly") {
  const Workload workload = resolved(options_for());
  CHECK(workload.name == "published");
  CHECK(workload.seed == 1);
  CHECK(workload.slot.gap_bytes == 12);
  CHECK(workload.slot.preamble_bytes == 0);
  CHECK(workload.ports_in == std::vector<PortId>{PortId(0), PortId(1), PortId(2), PortId(3)});
  CHECK(workload.key.variant == KeyVariant::kFixed);
  REQUIRE(workload.traffic.size() == 75000);
  const ReferenceClassifier classifier(workload.rules);
  std::map<RuleIndex, int> hits;
  std::set<Frame> frames;
  for (const Packet& packet : workload.traffic.packets()) {
    REQUIRE(packet.frame.size() == 64);
    REQUIRE(packet.extra_gap_bytes == 0);
    const auto rule = classifier.classify(*packet.key);
    REQUIRE(rule);
    ++hits[*rule];
    frames.insert(packet.frame);
  }
  CHECK(frames.size() == 75000);
  for (const auto& [rule, count] : hits)
    CHECK(std::abs(count - 18750) < 600);  // five standard deviations of 119
}

TEST_CASE(
    "the published fields are the low halves of a source, a destination and a protocol byte") {
  const Workload workload = resolved(options_for());
  const Packet& packet = workload.traffic.packets()[0];
  CHECK(*packet.key == Key{packet.frame[29] & 15u, packet.frame[33] & 15u, packet.frame[23] & 15u});
}

TEST_CASE("ClassBench rules given alone are met by generated 5-tuples that all hit") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x01/0xFF\n");
  const Workload workload = resolved(options);
  CHECK(workload.key.variant == KeyVariant::kIpv4FiveTuple);
  CHECK(workload.l4_key == L4Key::kAlways);
  const ReferenceClassifier classifier(workload.rules);
  for (const Packet& packet : workload.traffic.packets())
    REQUIRE(classifier.classify(*packet.key) == RuleIndex(0));
  CHECK(workload.rules.sha256() ==
        sha256_hex("@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x01/0xFF\n"));
}

TEST_CASE(
    "a header trace is read as it stands, a capture by its transport protocols and with IP "
    "options") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", kFiveTupleRules);
  options.traffic = {folder.write("my.trace", "1 2 3 4 1\n")};
  const Workload trace = resolved(options);
  CHECK(trace.key.variant == KeyVariant::kIpv4FiveTuple);
  CHECK(trace.l4_key == L4Key::kAlways);
  CHECK(trace.traffic.packets()[0].key == Key{1, 2, 3, 4, 1});

  options.traffic = {write_capture(folder, {trace.traffic.packets()[0].frame})};
  const Workload capture = resolved(options);
  CHECK(capture.key.variant == KeyVariant::kIpv4Full);
  CHECK(capture.l4_key == L4Key::kTransport);
  CHECK(capture.traffic.packets()[0].key == Key{1, 2, 0, 0, 1});
  CHECK(capture.traffic.packets()[0].frame == trace.traffic.packets()[0].frame);

  options.l4_key = L4Key::kAlways;
  const Workload always = resolved(options);
  CHECK(always.traffic.packets()[0].key == Key{1, 2, 3, 4, 1});
}

TEST_CASE("under fragments a later fragment matches only rules that say nothing of ports") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules",
                               "@1.0.0.0/8 0.0.0.0/0 0 : 65535 0 : 1023 0x06/0xFF\n"
                               "@1.0.0.0/8 0.0.0.0/0 0 : 0 0 : 65535 0x06/0xFF\n"
                               "@1.0.0.0/8 2.0.0.0/8 0 : 65535 0 : 65535 0x06/0xFF\n"
                               "@0.0.0.0/0 0.0.0.0/0 5 : 6 0 : 65535 0x00/0x00\n");
  const std::string traces = "16777217 33554433 9 80 6\n16777217 50331649 9 80 6\n";
  options.traffic = {folder.write("my.trace", traces)};
  options.l4_key = L4Key::kFragments;
  std::vector<Frame> frames;
  const Workload whole = resolved(options);
  for (const Packet& packet : whole.traffic.packets()) {
    frames.push_back(packet.frame);
    frames.push_back(packet.frame);
    make_later_fragment(frames.back());
  }
  options.traffic = {write_capture(folder, frames)};
  const Workload workload = resolved(options);
  CHECK(workload.rules.fields()[2].bits == kMarkedPortBits);
  CHECK(workload.rules.fields()[3].bits == kMarkedPortBits);
  CHECK(workload.rules.rules()[0].ranges[2] == Range{0, 0x1FFFF});
  CHECK(workload.rules.rules()[0].ranges[3] == Range{0, 1023});
  CHECK(reference_answers(workload) == std::vector<std::optional<RuleIndex>>{
                                           RuleIndex(0), RuleIndex(2), RuleIndex(0), std::nullopt});
  options.l4_key = L4Key::kTransport;  // ports 0
  CHECK(reference_answers(resolved(options)) ==
        std::vector<std::optional<RuleIndex>>{RuleIndex(0), RuleIndex(0), RuleIndex(0),
                                              RuleIndex(0)});
}

TEST_CASE("generated traffic has the share of later fragments that it is asked for") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", kFiveTupleRules);
  options.traffic = {"gen:fragments=0.25,count=4000"};
  options.l4_key = L4Key::kFragments;
  const Workload workload = resolved(options);
  const auto& packets = workload.traffic.packets();
  const auto fragments = std::count_if(packets.begin(), packets.end(), [](const Packet& packet) {
    return (*packet.key)[2] == kNoPort;
  });
  CHECK(fragments > 900);
  CHECK(fragments < 1100);

  WorkloadOptions fixed = options_for();
  fixed.traffic = {"gen:fragments=0.25"};
  CHECK(errors_of(fixed).find("fragments are of IPv4 packets") != std::string::npos);
}

TEST_CASE(
    "the reference answers each packet by its index, and a packet without a key with no rule") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", kFiveTupleRules);
  options.traffic = {folder.write("my.trace", "167772161 2 3 80 6\n1 2 3 4 6\n")};
  const Workload trace = resolved(options);
  CHECK(reference_answers(trace) ==
        std::vector<std::optional<RuleIndex>>{RuleIndex(0), RuleIndex(1)});
  options.traffic = {
      write_capture(folder, {finish_frame({1, 2, 3}), trace.traffic.packets()[1].frame})};
  CHECK(reference_answers(resolved(options)) ==
        std::vector<std::optional<RuleIndex>>{std::nullopt, RuleIndex(1)});
}

TEST_CASE("a copy of the published rules keeps the places of its fields") {
  WorkloadOptions options = options_for();
  options.rules = source_path("workloads/published.rules.yaml");
  CHECK(resolved(options).key.variant == KeyVariant::kFixed);
}

TEST_CASE("options and overrides replace what the file says") {
  WorkloadOptions options = options_for();
  options.seed = 9;
  options.ports_in = parse_port_list("0-1,7");
  options.arrival = parse_arrival("50");
  options.overrides = {change("slot.preamble_bytes", "8"), change("traffic", "gen:count=20"),
                       change("frame_bytes", "128"), change("workload", "mine")};
  const Workload workload = resolved(options);
  CHECK(workload.name == "mine");
  CHECK(workload.seed == 9);
  CHECK(workload.ports_in == std::vector<PortId>{PortId(0), PortId(1), PortId(7)});
  CHECK(workload.slot.preamble_bytes == 8);
  CHECK(workload.traffic.size() == 20);
  CHECK(workload.traffic.packets()[0].frame.size() == 128);
  CHECK(workload.traffic.packets()[3].extra_gap_bytes ==
        132);  // 280 a packet at half rate, 148 of them the slot
}

TEST_CASE("places given with the key take over from those of the rule set") {
  WorkloadOptions options = options_for();
  options.overrides = {change("key", "{variant: fixed, fields: {protocol: {byte: 40}}}"),
                       change("traffic", "gen:count=5")};
  const Workload workload = resolved(options);
  const Packet& packet = workload.traffic.packets()[2];
  CHECK(packet.key->at(2) == packet.frame[40] >> 4);
  options.overrides[0].value = "{variant: fixed, fields: {protcol: {byte: 40}}}";
  CHECK(errors_of(options).find("unknown key 'protcol'; did you mean 'protocol'?") !=
        std::string::npos);
}

TEST_CASE("one file a port plays each file on its port") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", kFiveTupleRules);
  options.traffic = {folder.write("a.trace", "1 2 3 4 6\n"),
                     folder.write("b.trace", "5 6 7 8 17\n9 9 9 9 6\n")};
  options.ports_in = parse_port_list("2,4");
  const Workload workload = resolved(options);
  REQUIRE(workload.traffic.size() == 3);
  CHECK(workload.traffic.packets()[0].arrival_port == PortId(2));
  CHECK(workload.traffic.packets()[2].arrival_port == PortId(4));
  options.traffic[1] = write_capture(folder, {finish_frame({1})});
  CHECK(errors_of(options).find("give files of one kind") != std::string::npos);
  options.ports_in = parse_port_list("0-3");
  CHECK(errors_of(options).find("2 traffic files for 4 ports") != std::string::npos);
}

TEST_CASE("every error of a workload file is reported at its line and column") {
  const TemporaryFolder folder;
  const std::string file = folder.write("w.yaml",
                                        "workload: w\n"
                                        "rules: r.yaml\n"
                                        "trafic: gen:count=3\n"
                                        "key: fixd\n"
                                        "l4_key: sometimes\n"
                                        "ports_in: [0, 0, 300]\n"
                                        "slot: {gap_bytes: -1}\n"
                                        "seed: x\n"
                                        "frame_bytes: 63\n");
  Diagnostics diagnostics;
  CHECK_FALSE(resolve_workload(options_for(file), diagnostics));
  std::string places;
  for (const Diagnostic& error : diagnostics.errors()) {
    CHECK(error.location.file == file);
    places += fmt::format("{}:{} ", error.location.line, error.location.column);
  }
  CHECK(places == "3:9 1:1 4:6 5:9 6:18 7:19 7:7 8:7 9:14 6:15 ");
}

TEST_CASE("errors of rules and traffic are reported together") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules = folder.write("my.rules", "@1.2.3.4\n");
  options.traffic = {"gen:hit=7"};
  CHECK(errors_of(options) == folder.file("my.rules") +
                                  ":1:2: error: '1.2.3.4' has no prefix length; write a.b.c.d/len\n"
                                  "--traffic: error: expected a share of 0 to 1, found '7'\n");
}

TEST_CASE("an override of a key that cannot be set is an error") {
  WorkloadOptions options = options_for();
  options.overrides = {change("sloot.gap_bytes", "3"), change("sedd", "3")};
  CHECK(errors_of(options) ==
        "--set: error: there is no 'sloot' in 'sloot.gap_bytes'; did you mean 'slot'?\n"
        "--set: error: unknown key 'sedd'; did you mean 'seed'?\n");
}

TEST_CASE("a rule set whose fields no key can read is refused before its traffic is judged") {
  const TemporaryFolder folder;
  WorkloadOptions options = options_for();
  options.rules =
      folder.write("of.yaml", "fields:\n  - {name: in_port, bits: 32}\nrules:\n  - {in_port: 1}\n");
  options.traffic = {folder.write("of.trace", "9f59 ab 0\n")};
  const std::string errors = errors_of(options);
  CHECK(errors.find("of.yaml:0:0: error: key ipv4_5tuple cannot read field 'in_port' of 32 bits") !=
        std::string::npos);
  CHECK(errors.find("of.trace") == std::string::npos);
}

TEST_CASE("lists of ports are read as numbers and spans, each port once") {
  const auto ports = [](std::string_view text) { return parse_port_list(text); };
  CHECK(ports("0-3") == std::vector<PortId>{PortId(0), PortId(1), PortId(2), PortId(3)});
  CHECK(ports("5,2") == std::vector<PortId>{PortId(5), PortId(2)});
  for (const char* text : {"", "x", "3-1", "0,0", "0-2,1", "1,", "256", "-1"}) {
    CAPTURE(text);
    CHECK_FALSE(ports(text));
  }
}
