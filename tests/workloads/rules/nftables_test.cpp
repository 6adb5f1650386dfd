// Listings of nftables as `nft -j list ruleset` prints them.
#include "tests/workloads/test_inputs.h"

#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::workloads;
using nplab::workloads::testing::errors_of_rules;
using nplab::workloads::testing::rules_from;

namespace {

// A chain on line 3, and the given objects from line 4.
std::string listing(const std::string& objects) {
  return R"({"nftables": [{"metainfo": {"version": "1.0.6", "release_name": "Lester Gooch #5", "json_schema_version": 1}},
{"table": {"family": "inet", "name": "filter", "handle": 1}},
{"chain": {"family": "inet", "table": "filter", "name": "forward", "handle": 2, "type": "filter", "hook": "forward", "prio": 0, "policy": "drop"}},
)" + objects +
         "]}\n";
}

std::string rule(const std::string& expressions, const std::string& chain = "forward") {
  return R"({"rule": {"family": "inet", "table": "filter", "chain": ")" + chain +
         R"(", "handle": 9, "expr": [)" + expressions + "]}}";
}

std::string port_match(const std::string& right, const std::string& op = "==") {
  return R"({"match": {"op": ")" + op +
         R"(", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": )" + right +
         "}}";
}

const std::string kAccept = R"({"accept": null})";

std::string nft_lines(const RuleSet& rules) {
  std::string text;
  for (const Rule& rule : rules.rules()) {
    text += (text.empty() ? "" : " ") + std::to_string(rule.location.line) +
            (rule.action == Action::allow() ? "+" : "-");
  }
  return text;
}

}  // namespace

TEST_CASE("an nft listing gives the forward chain's rules in order, then its policy") {
  const RuleSet rules = rules_from(listing(
      rule(
          R"({"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "saddr"}}, "right": {"prefix": {"addr": "10.0.0.0", "len": 8}}}}, )" +
          port_match("443") + R"(, {"counter": {"packets": 1, "bytes": 60}}, )" + kAccept) +
      ",\n" +
      rule(
          R"({"match": {"op": "==", "left": {"meta": {"key": "l4proto"}}, "right": {"set": ["tcp", "udp"]}}}, )"
          R"({"match": {"op": "==", "left": {"payload": {"protocol": "th", "field": "sport"}}, "right": {"range": [1024, 2047]}}}, )"
          R"({"drop": null})") +
      ",\n" +
      rule(
          R"({"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "protocol"}}, "right": "icmp"}}, )"
          R"({"log": {"prefix": "ping "}}, {"reject": {"type": "icmpx", "expr": "port-unreachable"}})")));
  CHECK(nft_lines(rules) == "4+ 5- 5- 6- 3-");
  CHECK(rules.rules()[0].ranges ==
        std::vector<Range>{
            {0x0A000000, 0x0AFFFFFF}, {0, 0xFFFFFFFF}, {0, 65535}, {443, 443}, {6, 6}});
  CHECK(rules.rules()[1].ranges[2] == Range{1024, 2047});
  CHECK(rules.rules()[1].ranges[4] == Range{6, 6});
  CHECK(rules.rules()[2].ranges[4] == Range{17, 17});
  CHECK(rules.rules()[3].ranges[4] == Range{1, 1});
  CHECK(rules.rules()[4].name == "policy of forward");
}

TEST_CASE("sets, named sets, negations and comparisons become rules of the same line") {
  const std::string named =
      R"({"set": {"family": "inet", "table": "filter", "name": "hosts", "type": "ipv4_addr", "handle": 3, "flags": ["interval"], "elem": ["192.0.2.1", {"prefix": {"addr": "198.51.100.0", "len": 24}}, {"elem": {"val": "203.0.113.9", "comment": "printer"}}]}},
)";
  const std::string from_hosts =
      R"({"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "saddr"}}, "right": "@hosts"}}, )";
  const RuleSet rules = rules_from(
      listing(named + rule(from_hosts + kAccept) + ",\n" +
              rule(port_match(R"({"set": [22, {"range": [80, 81]}]})", "!=") + ", " + kAccept) +
              ",\n" + rule(port_match("1023", ">") + ", " + kAccept) + ",\n" +
              rule(port_match("10", "<=") + ", " + kAccept)));
  CHECK(nft_lines(rules) == "5+ 5+ 5+ 6+ 6+ 6+ 7+ 8+ 3-");
  CHECK(rules.rules()[1].ranges[0] == Range{0xC6336400, 0xC63364FF});
  CHECK(rules.rules()[4].ranges[3] == Range{23, 79});
  CHECK(rules.rules()[4].ranges[4] == Range{6, 6});
  CHECK(rules.rules()[6].ranges[3] == Range{1024, 65535});
  CHECK(rules.rules()[7].ranges[3] == Range{0, 10});
}

TEST_CASE("verdict maps and concatenations are taken pair by pair") {
  const RuleSet map = rules_from(listing(
      R"({"chain": {"family": "inet", "table": "filter", "name": "web", "handle": 4}},
)" + rule(R"({"vmap": {"key": {"payload": {"protocol": "tcp", "field": "dport"}}, "data": {"set": [[22, {"drop": null}], [80, {"jump": {"target": "web"}}]]}}})") +
      ",\n" + rule(kAccept, "web")));
  CHECK(nft_lines(map) == "5- 6+ 3-");
  CHECK(map.rules()[1].ranges[3] == Range{80, 80});
  const RuleSet pairs = rules_from(listing(rule(
      R"({"match": {"op": "==", "left": {"concat": [{"payload": {"protocol": "ip", "field": "daddr"}}, {"payload": {"protocol": "udp", "field": "dport"}}]}, "right": {"set": [{"concat": ["10.0.0.1", 53]}, {"concat": ["10.0.0.2", {"range": [67, 68]}]}]}}}, )" +
      kAccept)));
  CHECK(nft_lines(pairs) == "4+ 4+ 3-");
  CHECK(pairs.rules()[1].ranges[1] == Range{0x0A000002, 0x0A000002});
  CHECK(pairs.rules()[1].ranges[3] == Range{67, 68});
  CHECK(pairs.rules()[1].ranges[4] == Range{17, 17});
}

TEST_CASE(
    "an nft statement that is not a 5-tuple match is refused by its place, or left out on demand") {
  const std::string text = listing(
      rule(
          R"({"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": ["established", "related"]}}, )" +
          kAccept) +
      ",\n" +
      rule(R"({"match": {"op": "==", "left": {"meta": {"key": "iifname"}}, "right": "lo"}}, )" +
           kAccept) +
      ",\n" + rule(R"({"limit": {"rate": 10, "burst": 5, "per": "second"}}, )" + kAccept) + ",\n" +
      rule(port_match("22") + ", " + kAccept));
  const std::string advice = "; --unsupported skip ignores such statements\n";
  CHECK(
      errors_of_rules(text) ==
      "in:4:121: error: 'ct' is not a 5-tuple match" + advice +
          "in:5:130: error: 'meta iifname' is not a 5-tuple match; --interface in=NAME decides it" +
          advice + "in:6:90: error: 'limit' is neither a match of the 5-tuple nor a verdict" +
          advice);
  const RuleSet rules = rules_from(text, {UnsupportedRules::kSkip, {}, {}});
  CHECK(nft_lines(rules) == "7+ 3-");
  CHECK(rules.skipped().statements.size() == 3);
}

TEST_CASE("what an nft rule matches that only logs or counts does not matter") {
  const RuleSet rules = rules_from(listing(
      rule(R"({"limit": {"rate": 10, "per": "second"}}, {"log": {"prefix": "x"}})") + ",\n" +
      rule(
          R"({"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": "new"}}, {"counter": null})") +
      ",\n" + rule(kAccept)));
  CHECK(nft_lines(rules) == "6+ 3-");
}

TEST_CASE("what is written wrong in an nft listing is reported at its place") {
  CHECK(errors_of_rules(listing(rule(port_match("70000") + ", " + kAccept))) ==
        "in:4:187: error: expected a value, prefix or range of the destination_port, found "
        "'70000'\n");
  CHECK(errors_of_rules("{\"nftables\": [{\"rule\": }]}\n")
            .starts_with("in:1:24: error: is not JSON: "));
  CHECK(errors_of_rules("{\"nftables\": []}") ==
        "in:0:0: error: has no base chain of a filter that contains rules\n");
}

TEST_CASE("in a table of both families, what asks for IPv4 holds and what asks for IPv6 does not") {
  const std::string ipv6 =
      R"({"match": {"op": "==", "left": {"payload": {"protocol": "ip6", "field": "saddr"}}, "right": "2001:db8::1"}}, )";
  const auto family = [](const std::string& key, const std::string& name) {
    return R"({"match": {"op": "==", "left": {"meta": {"key": ")" + key + R"("}}, "right": ")" +
           name + "\"}}, ";
  };
  const RuleSet rules =
      rules_from(listing(rule(ipv6 + kAccept) + ",\n" + rule(family("nfproto", "ipv4") + kAccept) +
                         ",\n" + rule(family("nfproto", "ipv6") + kAccept) + ",\n" +
                         rule(family("protocol", "ip") + kAccept)));
  CHECK(nft_lines(rules) == "5+ 7+ 3-");
}

TEST_CASE(
    "chains of IPv6 do not count, and a chain of a table is named by family, table and chain") {
  const std::string other =
      R"({"chain": {"family": "ip6", "table": "filter", "name": "forward", "type": "filter", "hook": "forward", "prio": 0, "policy": "drop"}},
{"rule": {"family": "ip6", "table": "filter", "chain": "forward", "expr": [{"accept": null}]}},
{"chain": {"family": "ip", "table": "edge", "name": "in", "type": "filter", "hook": "input", "prio": 0, "policy": "accept"}},
{"rule": {"family": "ip", "table": "edge", "chain": "in", "expr": [{"drop": null}]}},
)";
  const std::string text = listing(other + rule(port_match("22") + ", " + kAccept));
  CHECK(nft_lines(rules_from(text)) == "8+ 3-");
  CHECK(nft_lines(rules_from(text, {UnsupportedRules::kRefuse, "ip/edge/in"})) == "7- 6+");
}

TEST_CASE("an nft match of an interface is decided by the packets' interface") {
  const auto on = [](const std::string& key, const std::string& op, const std::string& right) {
    return rule(R"({"match": {"op": ")" + op + R"(", "left": {"meta": {"key": ")" + key +
                R"("}}, "right": )" + right + "}}, " + kAccept);
  };
  const std::string text =
      listing(on("iifname", "==", R"("eth0")") + ",\n" + on("iifname", "!=", R"("eth0")") + ",\n" +
              on("iif", "==", R"({"set": ["lo", "eth0"]})") + ",\n" +
              on("iifname", "==", R"("eth*")") + ",\n" + on("oifname", "==", R"("eth1")"));
  CHECK(nft_lines(rules_from(text, {UnsupportedRules::kRefuse, {}, {"eth0", "eth1"}})) ==
        "4+ 6+ 7+ 8+ 3-");
  CHECK(nft_lines(rules_from(text, {UnsupportedRules::kRefuse, {}, {"lo", "eth0"}})) == "5+ 6+ 3-");
  CHECK(errors_of_rules(text, {UnsupportedRules::kRefuse, {}, {"eth0", {}}}) ==
        "in:8:130: error: 'meta oifname' is not a 5-tuple match; --interface out=NAME decides it; "
        "--unsupported skip ignores such statements\n");
}

TEST_CASE("an nft address compared through a mask is the set of addresses that agree with it") {
  const auto masked = [](const std::string& mask, const std::string& op, const std::string& value) {
    return listing(
        rule(R"({"match": {"op": ")" + op +
             R"(", "left": {"&": [{"payload": {"protocol": "ip", "field": "saddr"}}, ")" + mask +
             R"("]}, "right": ")" + value + R"("}}, )" + kAccept));
  };
  const RuleSet prefix = rules_from(masked("255.255.0.0", "==", "10.1.0.0"));
  CHECK(nft_lines(prefix) == "4+ 3-");
  CHECK(prefix.rules()[0].ranges[0] == Range{0x0A010000, 0x0A01FFFF});
  const RuleSet with_hole = rules_from(masked("255.255.0.255", "==", "10.1.0.7"));
  CHECK(with_hole.size() == 257);
  CHECK(with_hole.rules()[1].ranges[0] == Range{0x0A010107, 0x0A010107});
  // No address has bits that its mask clears.
  CHECK(nft_lines(rules_from(masked("255.255.0.0", "==", "10.1.0.1"))) == "3-");
  CHECK(nft_lines(rules_from(masked("255.0.0.0", "!=", "0.0.0.0"))) ==
        "4+ 4+ 4+ 4+ 4+ 4+ 4+ 4+ 3-");
}

TEST_CASE("a chain of an nft listing is named with or without its table and family") {
  const std::string text = listing(rule(kAccept));
  for (const char* name : {"forward", "filter/forward", "inet/filter/forward"}) {
    CAPTURE(name);
    CHECK(nft_lines(rules_from(text, {UnsupportedRules::kRefuse, name, {}})) == "4+ 3-");
  }
  CHECK(errors_of_rules(text, {UnsupportedRules::kRefuse, "ter/forward", {}}) ==
        "in:0:0: error: has no chain 'ter/forward'; its chains are inet/filter/forward\n");
}
