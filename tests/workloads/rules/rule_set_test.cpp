#include "tests/workloads/test_inputs.h"

#include <fmt/format.h>

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

std::string errors_of(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_rule_set(input(text), diagnostics));
  return diagnostics.to_string();
}

// The errors' places, `LINE:COLUMN` joined by blanks.
std::string places_of(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_rule_set(input(text), diagnostics));
  std::string places;
  for (const Diagnostic& error : diagnostics.errors()) {
    CHECK(error.location.file == "in");
    places += fmt::format("{}{}:{}", places.empty() ? "" : " ", error.location.line,
                          error.location.column);
  }
  return places;
}

const std::string kFields =
    "fields:\n"
    "  - {name: a, bits: 4}\n"
    "  - {name: b, bits: 8, match: prefix}\n"
    "  - {name: c, bits: 64, match: exact}\n";

}  // namespace

TEST_CASE("a ClassBench line gives five ranges, in the order of the 5-tuple") {
  const RuleSet rules = rules_from(
      "@10.1.2.0/24\t166.174.158.80/28\t750 : 800\t22 : 22\t0x11/0xFF\t0x0000/0x0200\t\n");
  REQUIRE(rules.size() == 1);
  CHECK(rules.fields()[0].name == "source_address");
  CHECK(rules.fields()[4].bits == 8);
  const Rule& rule = rules.rule(RuleIndex(0));
  CHECK(rule.ranges ==
        std::vector<Range>{
            {0x0A010200, 0x0A0102FF}, {0xA6AE9E50, 0xA6AE9E5F}, {750, 800}, {22, 22}, {17, 17}});
  CHECK(rule.action == Action::allow());
}

TEST_CASE(
    "a ClassBench line may have single blanks, tight ranges, carriage returns and comments around "
    "it") {
  const RuleSet rules =
      rules_from("# a comment\n\n@0.0.0.0/0 1.2.3.4/32 0:65535 80:80 0x00/0x00\r\n");
  REQUIRE(rules.size() == 1);
  CHECK(rules.rules()[0].ranges ==
        std::vector<Range>{
            {0, 0xFFFFFFFF}, {0x01020304, 0x01020304}, {0, 65535}, {80, 80}, {0, 255}});
  CHECK(rules.rules()[0].location.line == 3);
}

TEST_CASE("address bits after the prefix length do not count") {
  CHECK(rules_from("@10.1.2.3/8 0.0.0.0/0 0 : 1 0 : 1 6/0xff").rules()[0].ranges[0] ==
        Range{0x0A000000, 0x0AFFFFFF});
}

TEST_CASE("an action word after a ClassBench line is the rule's action") {
  const std::string line = "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x06/0xFF ";
  const auto action = [&](const std::string& tail) {
    return rules_from(line + tail).rules()[0].action;
  };
  for (const char* word : {"ACCEPT", "permit", "allow", "0x0000/0x0200 Accept"})
    CHECK(action(word) == Action::allow());
  for (const char* word : {"DROP", "DENY", "REJECT", "deny", "0x0/0x0200 drop"})
    CHECK(action(word) == Action::deny());
  CHECK(action("forward:3") == Action::forward(3));
}

TEST_CASE("every error of a ClassBench file is reported at its line and column") {
  const std::string good = "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x06/0xFF\n";
  const struct {
    const char* what;
    std::string line;
    int column;
  } cases[] = {
      {"no @", "0.0.0.0/0 0.0.0.0/0 0 : 1 0 : 1 6/255", 1},
      {"no prefix length", "@1.2.3.4 0.0.0.0/0 0 : 1 0 : 1 6/255", 2},
      {"length over 32", "@1.2.3.4/33 0.0.0.0/0 0 : 1 0 : 1 6/255", 10},
      {"byte over 255", "@1.2.3.4/8 1.2.300.4/8 0 : 1 0 : 1 6/255", 12},
      {"no second address", "@1.2.3.4/8 0 : 1 0 : 1 6/255", 12},
      {"port too large", "@1.2.3.4/8 1.2.3.4/8 0 : 65536 0 : 1 6/255", 26},
      {"low after high", "@1.2.3.4/8 1.2.3.4/8 9 : 8 0 : 1 6/255", 26},
      {"no colon", "@1.2.3.4/8 1.2.3.4/8 9 10 0 : 1 6/255", 24},
      {"no number", "@1.2.3.4/8 1.2.3.4/8 9 : x 0 : 1 6/255", 26},
      {"protocol too large", "@1.2.3.4/8 1.2.3.4/8 9 : 9 0 : 1 256/255", 34},
      {"odd mask", "@1.2.3.4/8 1.2.3.4/8 9 : 9 0 : 1 6/0x0F", 36},
      {"no mask", "@1.2.3.4/8 1.2.3.4/8 9 : 9 0 : 1 6", 35},
      {"cut short", "@1.2.3.4/8 1.2.3.4/8 9 : 9", 27},
      {"unknown action", "@1.2.3.4/8 1.2.3.4/8 9 : 9 0 : 1 6/255 alow", 40},
      {"two actions", "@1.2.3.4/8 1.2.3.4/8 9 : 9 0 : 1 6/255 deny deny", 45},
  };
  std::string text = good, expected;
  int line = 1;
  for (const auto& one : cases) {
    CAPTURE(one.what);
    const std::string place = std::to_string(++line) + ":" + std::to_string(one.column);
    CHECK(places_of(good + one.line + "\n" + good) == "2:" + std::to_string(one.column));
    text += one.line + "\n";
    expected += (expected.empty() ? "" : " ") + place;
  }
  CHECK(places_of(text) == expected);
}

TEST_CASE("the error of a ClassBench line says what would be right") {
  CHECK(errors_of("@1.2.3.4 0.0.0.0/0 0 : 1 0 : 1 6/255") ==
        "in:1:2: error: '1.2.3.4' has no prefix length; write a.b.c.d/len\n");
}

TEST_CASE("after fifty errors the rest is only announced") {
  std::string text = "@\n";
  for (int i = 0; i < 99; ++i)
    text += "@x\n";
  Diagnostics diagnostics;
  CHECK_FALSE(parse_rule_set(input(text), diagnostics));
  REQUIRE(diagnostics.errors().size() == 51);
  CHECK(diagnostics.errors().back().location.line == 51);
}

TEST_CASE("an openflow set names its fields, their widths and how they match in its first line") {
  const RuleSet rules =
      rules_from("# port:32E sa:32P dp:16R\n0xe71329d 67.23.69.20/30 6925-6930\n* * *\n");
  REQUIRE(rules.fields().size() == 3);
  CHECK(rules.fields()[1].name == "sa");
  CHECK(rules.fields()[1].match == MatchKind::kPrefix);
  CHECK(rules.rules()[0].ranges ==
        std::vector<Range>{{0xe71329d, 0xe71329d}, {0x43174514, 0x43174517}, {6925, 6930}});
  CHECK(rules.rules()[1].ranges ==
        std::vector<Range>{{0, 0xFFFFFFFF}, {0, 0xFFFFFFFF}, {0, 65535}});
}

TEST_CASE("errors of an openflow set stand at their columns") {
  CHECK(places_of("# a:32E b:65P c:8 a:8X\n1 2 3\n") == "1:9 1:15 1:19");
  CHECK(places_of("# a:8E a:8R\n1 2\n") == "1:8");
  CHECK(places_of("# a:8E b:16R\n0x100 1-2\n1\n* 9-8\n1-2 *\n") == "2:1 3:1 4:5 5:1");
}

TEST_CASE(
    "a YAML rule set has named fields of any width and rules that leave out what they do not "
    "judge") {
  const RuleSet rules =
      rules_from(kFields +
                 "rules:\n"
                 "  - {name: first, a: 2-4, b: 16/4, c: 0xFFFFFFFFFFFFFFFF, action: deny}\n"
                 "  - {a: 7, action: forward 2}\n"
                 "  - {c: '*'}\n");
  REQUIRE(rules.size() == 3);
  const std::uint64_t all = ~std::uint64_t{0};
  CHECK(rules.rules()[0].ranges == std::vector<Range>{{2, 4}, {16, 31}, {all, all}});
  CHECK(rules.rules()[0].name == "first");
  CHECK(rules.rules()[0].action == Action::deny());
  CHECK(rules.rules()[1].ranges == std::vector<Range>{{7, 7}, {0, 255}, {0, all}});
  CHECK(rules.rules()[1].action == Action::forward(2));
  CHECK(rules.rules()[2].action == Action::allow());
}

TEST_CASE("an unknown field in a YAML rule is an error that suggests the nearest field") {
  const std::string errors =
      errors_of("fields:\n  - {name: source_port, bits: 16}\nrules:\n  - {source_prot: 7}\n");
  CHECK(errors == "in:4:19: error: unknown key 'source_prot'; did you mean 'source_port'?\n");
}

TEST_CASE("wrong values in YAML rules are reported at their own columns, all at once") {
  CHECK(places_of(kFields + "rules:\n"
                            "  - {a: 16}\n"               // more than 4 bits
                            "  - {a: 5-3}\n"              // ends before its start: at the end
                            "  - {a: 1-99}\n"             // the end is too large
                            "  - {b: 3-4}\n"              // no prefix
                            "  - {b: 3/9}\n"              // length over the width
                            "  - {c: 1-2}\n"              // exact
                            "  - {a: x}\n"                // no number
                            "  - {a: 1, action: alow}\n"  // no action
                            "  - {a: [1, 2]}\n"           // no scalar
                            "  - 7\n") == "6:9 7:11 8:11 9:9 10:11 11:9 12:9 13:20 14:9 15:5");
}

TEST_CASE("wrong fields of a YAML rule set are errors at their columns") {
  CHECK(places_of("fields:\n  - {name: a, bits: 0}\n  - {name: a, bits: 65}\n  - {bits: 3}\n"
                  "  - {name: action, bits: 3}\n"
                  "  - {name: d, bits: 8, match: rnge}\n  - {name: e, bits: 8, widht: 3}\n"
                  "rules: [{a: 1}]\n") == "2:21 3:21 3:12 4:5 5:12 6:31 7:31");
  CHECK(places_of("fields: []\nrules: [{a: 1}]\n") == "1:9");
  CHECK(places_of("fields: [{name: a, bits: 8}]\nrules: []\n") == "2:8");
  CHECK(places_of("fields: [{name: a, bits: 8}]\nruels: [{a: 1}]\n") == "2:8 1:1");
}

TEST_CASE("a field's place in the frame must lie in the bytes that every frame has") {
  const auto at = [](const std::string& place) {
    return "fields:\n  - {name: a, bits: 4, at: " + place + "}\nrules: [{a: 1}]\n";
  };
  CHECK(rules_from(at("{byte: 29, bit: 4}")).fields()[0].position == FramePosition{29, 4});
  CHECK(rules_from(at("{byte: 59, bit: 4}")).fields()[0].position == FramePosition{59, 4});
  CHECK(places_of(at("{byte: 59, bit: 5}")) == "2:35");
  CHECK(places_of(at("{byte: 9, bit: 8}")) == "2:43");
  CHECK(places_of(at("{bit: 4}")) == "2:28");
}

TEST_CASE("broken YAML is reported where it breaks") {
  CHECK(places_of("fields:\n  - {name: a, bits: 8\nrules: 1\n").substr(0, 2) == "3:");
}

TEST_CASE("what is not a rule set is refused") {
  CHECK(errors_of("") == "in:0:0: error: holds no rules\n");
  CHECK(errors_of("# only a comment\n") == "in:0:0: error: holds no rules\n");
  CHECK(places_of("\n  10.0.0.0/8 0.0.0.0/0 0 : 1 0 : 1 6/255\n") == "2:3");
  CHECK(places_of("hello\n") == "1:1");
  CHECK(errors_of("table inet filter {\n}\n").find("nft -j list ruleset") != std::string::npos);
  CHECK(errors_of("Chain INPUT (policy DROP)\n").find("iptables-save") != std::string::npos);
  CHECK(errors_of("ipv4 access-list x\n 10 permit ipv4 any any\n").find("IOS-XR") !=
        std::string::npos);
}

TEST_CASE("a rule set that cannot be read names its file") {
  Diagnostics diagnostics;
  CHECK_FALSE(read_rule_set("/nowhere/at.all", diagnostics));
  REQUIRE(diagnostics.errors().size() == 1);
  CHECK(diagnostics.errors()[0].location.file == "/nowhere/at.all");
}

TEST_CASE("the length of a prefix is known, and what is not a prefix too") {
  CHECK(prefix_length({0, 0xFFFFFFFF}, 32) == 0u);
  CHECK(prefix_length({0x0A000000, 0x0AFFFFFF}, 32) == 8u);
  CHECK(prefix_length({7, 7}, 32) == 32u);
  CHECK(prefix_length({0, ~std::uint64_t{0}}, 64) == 0u);
  CHECK(prefix_length({1, 2}, 32) == std::nullopt);
  CHECK(prefix_length({2, 4}, 32) == std::nullopt);
  CHECK(prefix_length({2, 5}, 32) == std::nullopt);
}
