// The rule sets, traces and captures beside the project, with answers computed elsewhere by two
// independent scans.
#include "tests/workloads/test_inputs.h"

#include "workloads/reference/classifier.h"
#include "workloads/traffic/traffic.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

KeyLayout layout_of(KeyVariant variant) {
  Diagnostics diagnostics;
  return *make_key_layout(variant, five_tuple_fields(), {}, diagnostics);
}

// Headers answered otherwise than the trace's column says.
std::size_t wrong_answers(const RuleSet& rules, const Traffic& traffic) {
  const ReferenceClassifier classifier(rules);
  std::size_t wrong = 0;
  for (const Packet& packet : traffic.packets()) {
    REQUIRE(packet.key);
    REQUIRE(packet.trace_column);
    const auto answer = classifier.classify(*packet.key);
    if ((answer ? static_cast<std::int64_t>(answer->value()) : -1) != *packet.trace_column)
      ++wrong;
  }
  return wrong;
}

void check_five_tuple_set(const std::string& rules_path,
                          const std::vector<std::string>& trace_paths) {
  Diagnostics diagnostics;
  const auto rules = read_rule_set(rules_path, diagnostics);
  INFO(rules_path << "\n" << diagnostics.to_string());
  REQUIRE(rules);
  for (const std::string& path : trace_paths) {
    auto traffic = read_traffic(path, 64, diagnostics);
    INFO(path << "\n" << diagnostics.to_string());
    REQUIRE(traffic);
    CHECK(wrong_answers(*rules, std::move(*traffic).with_keys(layout_of(KeyVariant::kIpv4FiveTuple),
                                                              L4Key::kAlways)) == 0);
  }
}

}  // namespace

TEST_CASE("ClassBench traces and edge cases are answered as expected") {
  const auto folder = shared_rulesets();
  if (!folder)
    return;
  for (const char* name : {"acl1_100", "acl1_500", "acl1_5000", "acl3_1000", "acl5_500", "fw1_500",
                           "fw1_5000", "fw3_1000", "ipc1_500", "ipc1_5000"}) {
    const std::string base = *folder + "/classbench/" + name;
    check_five_tuple_set(base + ".rules.xz", {base + ".trace.xz", base + ".edge.xz"});
  }
}

TEST_CASE("lists from practice are answered as expected") {
  const auto folder = shared_rulesets();
  if (!folder)
    return;
  for (const char* name : {"homeuser-fwd-upper", "stanford-boza-acl109", "stanford-boza-acl151",
                           "stanford-yoza-acl103", "ugent-inp-upper"}) {
    const std::string base = *folder + "/real/" + name;
    check_five_tuple_set(base + ".rules.xz", {base + ".trace.xz"});
  }
}

TEST_CASE("rule sets of fifteen fields are answered as expected") {
  const auto folder = shared_rulesets();
  if (!folder)
    return;
  for (const char* name : {"qu15_64", "qu15_1024"}) {
    const std::string base = *folder + "/openflow/" + name;
    Diagnostics diagnostics;
    const auto rules = read_rule_set(base + ".rules.xz", diagnostics);
    INFO(base << "\n" << diagnostics.to_string());
    REQUIRE(rules);
    CHECK(rules->fields().size() == 15);
    const auto traffic = read_key_trace(base + ".trace.xz", rules->fields(), diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(traffic);
    CHECK(wrong_answers(*rules, *traffic) == 0);
  }
}

TEST_CASE("captures are read completely, and header lists by their heading") {
  const auto folder = shared_rulesets();
  if (!folder)
    return;
  Diagnostics diagnostics;
  for (const char* name : {"tcpreplay_test.pcap", "zeek_http_bro.org.pcap",
                           "tcpdump_headers.txt.xz", "tcpreplay_headers.txt.xz"}) {
    const auto traffic = read_traffic(*folder + "/pcap/" + name, 64, diagnostics);
    INFO(name << "\n" << diagnostics.to_string());
    REQUIRE(traffic);
    CHECK(traffic->size() >= 18);
  }
}
