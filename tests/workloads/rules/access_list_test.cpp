// Cisco access lists as configurations hold them.
#include "tests/workloads/test_inputs.h"

#include <map>

#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::workloads;
using nplab::workloads::testing::errors_of_rules;
using nplab::workloads::testing::rules_from;

namespace {

constexpr std::uint64_t quad(unsigned a, unsigned b, unsigned c, unsigned d) {
  return std::uint64_t{a} << 24 | b << 16 | c << 8 | d;
}
constexpr Range kAnyAddress{0, quad(255, 255, 255, 255)}, kAnyPort{0, 65535};

std::string lines_of(const RuleSet& rules) {
  std::string text;
  for (const Rule& rule : rules.rules()) {
    text += (text.empty() ? "" : " ") + std::to_string(rule.location.line) +
            (rule.action == Action::allow() ? "+" : "-");
  }
  return text;
}

}  // namespace

TEST_CASE("a numbered extended access list denies at its end what it does not permit") {
  const RuleSet rules = rules_from(
      "hostname border\n!\ninterface Vlan7\n ip access-group 101 in\n!\n"
      "access-list 101 remark --- web and mail ---\n"
      "access-list 101 permit tcp any host 171.64.7.55 eq www\n"
      "access-list 101 deny   udp 172.16.0.0 0.15.255.255 any range netbios-ns netbios-ss log\n"
      "access-list 101 permit tcp any gt 1023 10.0.0.0 0.0.0.255 lt 1024\n"
      "access-list 101 permit 47 any any\n!\nline vty 0 4\n");
  CHECK(lines_of(rules) == "7+ 8- 9+ 10+ 6-");
  CHECK(rules.rules()[0].ranges ==
        std::vector<Range>{
            kAnyAddress, {quad(171, 64, 7, 55), quad(171, 64, 7, 55)}, kAnyPort, {80, 80}, {6, 6}});
  CHECK(rules.rules()[1].ranges[0] == Range{quad(172, 16, 0, 0), quad(172, 31, 255, 255)});
  CHECK(rules.rules()[1].ranges[3] == Range{137, 139});
  CHECK(rules.rules()[2].ranges[2] == Range{1024, 65535});
  CHECK(rules.rules()[2].ranges[3] == Range{0, 1023});
  CHECK(rules.rules()[3].ranges[4] == Range{47, 47});
  CHECK(rules.rules()[4].ranges ==
        std::vector<Range>{kAnyAddress, kAnyAddress, kAnyPort, kAnyPort, {0, 255}});
}

TEST_CASE("the summaries that ASA prints between entries are passed over") {
  const RuleSet rules = rules_from(
      "access-list cached ACL log flows: total 0, denied 0 (deny-flow-max 4096)\n"
      "            alert-interval 300\n"
      "access-list OUT; 2 elements; name hash: 0x6892a938\n"
      "access-list OUT line 1 extended permit tcp any host 171.64.7.55 eq www (hitcnt=0) "
      "0x1234abcd\n"
      "access-list OUT line 2 extended deny udp any any (hitcnt=12) 0x1234abce\n");
  CHECK(lines_of(rules) == "4+ 5- 4-");
}

TEST_CASE("a named access list follows its sequence numbers and ends with its section") {
  const RuleSet rules = rules_from(
      "ip access-list extended inACL\n"
      " 20 permit ip any any\n"
      " 10 deny   tcp any any eq smtp\n"
      "!\ninterface Vlan1\n ip access-group inACL in\n");
  CHECK(lines_of(rules) == "3- 2+ 1-");
}

TEST_CASE("of several access lists the one that is asked for is taken") {
  const std::string text =
      "access-list 103 deny tcp any any eq 445\naccess-list 103 permit ip any any\n"
      "ip access-list extended mail\n permit tcp any any eq smtp\n"
      "access-list 7 permit 10.1.0.0 0.0.255.255\naccess-list 7 permit 10.2.2.2\n";
  CHECK(errors_of_rules(text) ==
        "in:0:0: error: has rules in several chains; choose with --chain one of 103, mail, 7\n");
  CHECK(lines_of(rules_from(text, {UnsupportedRules::kRefuse, "103"})) == "1- 2+ 1-");
  CHECK(lines_of(rules_from(text, {UnsupportedRules::kRefuse, "mail"})) == "4+ 3-");
  const RuleSet standard = rules_from(text, {UnsupportedRules::kRefuse, "7"});
  CHECK(lines_of(standard) == "5+ 6+ 5-");
  CHECK(standard.rules()[0].ranges[0] == Range{quad(10, 1, 0, 0), quad(10, 1, 255, 255)});
  CHECK(standard.rules()[1].ranges[0] == Range{quad(10, 2, 2, 2), quad(10, 2, 2, 2)});
}

TEST_CASE("a wildcard mask with holes and neq become several rules of the same line") {
  const RuleSet rules = rules_from("access-list 110 permit tcp 10.0.0.5 0.0.2.0 any neq 25\n");
  CHECK(lines_of(rules) == "1+ 1+ 1+ 1+ 1-");
  const ReferenceClassifier classifier(rules);
  const auto permitted = [&](std::uint64_t source, std::uint64_t port) {
    return rules.rule(*classifier.classify({source, 1, 2, port, 6})).action == Action::allow();
  };
  CHECK(permitted(quad(10, 0, 0, 5), 24));
  CHECK(permitted(quad(10, 0, 2, 5), 26));
  CHECK_FALSE(permitted(quad(10, 0, 2, 5), 25));
  CHECK_FALSE(permitted(quad(10, 0, 1, 5), 24));
  CHECK_FALSE(permitted(quad(10, 0, 3, 5), 24));
}

TEST_CASE("several ports after eq, prefixes of NX-OS and masks of ASA are read") {
  const RuleSet several =
      rules_from("ip access-list extended x\n permit udp any any eq domain 123 snmp\n");
  CHECK(lines_of(several) == "2+ 2+ 2+ 1-");
  CHECK(several.rules()[1].ranges[3] == Range{123, 123});
  const RuleSet prefixes = rules_from(
      "ip access-list web\n  statistics per-entry\n"
      "  10 permit tcp 10.0.0.0/8 192.168.1.0/24 eq 443\n");
  CHECK(prefixes.rules()[0].ranges[1] == Range{quad(192, 168, 1, 0), quad(192, 168, 1, 255)});
  const RuleSet asa = rules_from(
      "access-list outside extended permit tcp any4 10.1.0.0 255.255.0.0 eq https\n"
      "access-list outside line 2 extended deny ip any any log 6 interval 300\n"
      "access-list outside extended permit udp any any inactive\n");
  CHECK(lines_of(asa) == "1+ 2- 1-");
  CHECK(asa.rules()[0].ranges[1] == Range{quad(10, 1, 0, 0), quad(10, 1, 255, 255)});
}

TEST_CASE("what show access-lists prints is read") {
  const RuleSet rules = rules_from(
      "Extended IP access list 101\n    10 permit tcp any host 10.1.1.1 eq www (17 matches)\n"
      "    20 deny ip any any (2 matches)\n");
  CHECK(lines_of(rules) == "2+ 3- 1-");
}

TEST_CASE(
    "an access list's entry that is not a 5-tuple match is refused by its place, or left out on "
    "demand") {
  const std::string text =
      "access-list 101 permit tcp any any established\n"
      "access-list 101 permit icmp any any echo-reply\n"
      "access-list 101 permit tcp object-group CLIENTS any eq 80\n"
      "access-list 101 permit ip any object server-1\n"
      "access-list 101 permit tcp any any eq 80 time-range office\n"
      "access-list 101 permit ip 10.0.0.0 0.255.255.255 any fragments\n"
      "access-list 101 permit udp any any\n";
  const std::string advice = "; --unsupported skip ignores such statements\n";
  CHECK(errors_of_rules(text) ==
        "in:1:36: error: 'established' is not a 5-tuple match" + advice +
            "in:2:37: error: 'echo-reply' is not a 5-tuple match" + advice +
            "in:3:28: error: object-group 'CLIENTS' is defined elsewhere; write its values here" +
            advice +
            "in:4:31: error: object 'server-1' is defined elsewhere; write its values here" +
            advice + "in:5:42: error: 'time-range' is not a 5-tuple match" + advice +
            "in:6:54: error: 'fragments' is not a 5-tuple match" + advice);
  const RuleSet rules = rules_from(text, {UnsupportedRules::kSkip, {}});
  CHECK(lines_of(rules) == "7+ 1-");
  CHECK(rules.skipped().statements.size() == 6);
}

TEST_CASE("what is written wrong in an access list is reported at its place") {
  CHECK(errors_of_rules("access-list 101 permit tpc any any\n"
                        "access-list 101 permit tcp any 10.0.0.0\n"
                        "access-list 101 permit tcp any any eq wwww\n"
                        "access-list 101 permit tcp any any range 20 10\n"
                        "access-list 101 allow ip any any\n") ==
        "in:1:24: error: expected a protocol: ip, tcp, udp, icmp, another's name or its number, "
        "found 'tpc'\n"
        "in:2:40: error: expected a mask A.B.C.D after the address, found the end of the line\n"
        "in:3:39: error: expected the number or name of a port, found 'wwww'\n"
        "in:4:45: error: expected two ports after 'range', the lower first, found '10'\n"
        "in:5:17: error: expected permit, deny or remark, found 'allow'\n");
}

TEST_CASE("access lists of a campus backbone read as the lists that were taken from them") {
  const auto folder = testing::shared_rulesets();
  if (!folder)
    return;
  Diagnostics diagnostics;
  const auto raw = read_input_file(*folder + "/real/raw/stanford_acl_lines.xz", diagnostics);
  REQUIRE(raw);
  // One router's part: lists of other routers have the same numbers.
  const auto begin = raw->bytes.find("! boza_rtr_config.txt");
  const auto end = raw->bytes.find("\n! ", begin);
  REQUIRE(begin != std::string::npos);
  const InputFile router{"boza", raw->bytes.substr(begin, end - begin), ""};
  for (const std::string number : {"109", "151"}) {
    INFO(number);
    const auto list = parse_rule_set(router, {UnsupportedRules::kSkip, number}, diagnostics);
    const auto taken =
        read_rule_set(*folder + "/real/stanford-boza-acl" + number + ".rules.xz", diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(list);
    REQUIRE(taken);
    // The list that was taken leaves out entries whose masks have holes (0.0.0.128), which become
    // several rules.
    std::map<int, int> rules_of_line;
    for (const Rule& rule : list->rules())
      rules_of_line[rule.location.line] += rule.name.empty() ? 1 : 0;  // no policy
    std::vector<Rule> single = list->rules();
    std::erase_if(single, [&](const Rule& rule) {
      return rules_of_line[rule.location.line] > 1 && rule.name.empty();
    });
    CHECK(list->size() - single.size() == (number == "151" ? 12 : 0));
    REQUIRE(single.size() == taken->size() + 1);  // what is not permitted is denied
    for (std::size_t i = 0; i < taken->size(); ++i) {
      CAPTURE(i);
      CHECK(single[i].ranges == taken->rules()[i].ranges);
      CHECK(single[i].action == taken->rules()[i].action);
    }
  }
}
