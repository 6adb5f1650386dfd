#include "support/yaml.h"

#include <catch2/catch.hpp>

using nplab::Diagnostics;
using nplab::without_lines;
namespace yaml = nplab::yaml;

namespace {

constexpr const char* kText =
    "name: bv1\n"
    "queues:\n"
    "  - {entries: 128, memory: sram}\n"
    "  - {entries: 0x10, memory: scratch}\n"
    "big: 4K\n";

yaml::Node parsed(const char* text) {
  Diagnostics diagnostics;
  auto node = yaml::parse(text, "file.yaml", diagnostics);
  REQUIRE(diagnostics.to_string().empty());
  return *node;
}

}  // namespace

TEST_CASE("values know the line and column where they stand") {
  const yaml::Node root = parsed(kText);
  const yaml::Node& second = root.find("queues")->items().at(1);
  CHECK(second.find("memory")->location().line == 4);
  CHECK(second.find("memory")->location().column == 29);
}

TEST_CASE("whole numbers are decimal, hexadecimal, or multiples of K and M") {
  Diagnostics diagnostics;
  const yaml::Node root = parsed(kText);
  CHECK(root.find("queues")->items().at(0).find("entries")->as_integer(diagnostics) == 128);
  CHECK(root.find("queues")->items().at(1).find("entries")->as_integer(diagnostics) == 16);
  CHECK(root.find("big")->as_integer(diagnostics) == 4096);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("a value of the wrong kind is reported at its place with what was expected and found") {
  Diagnostics diagnostics;
  const yaml::Node root = parsed(kText);
  CHECK_FALSE(root.find("name")->as_integer(diagnostics).has_value());
  CHECK_FALSE(root.find("queues")->as_string(diagnostics).has_value());
  CHECK(diagnostics.to_string() ==
        "file.yaml:1:7: error: expected an integer, found 'bv1'\n"
        "file.yaml:3:3: error: expected a string, found a list\n");
}

TEST_CASE("an unknown key is reported with the nearest known one") {
  Diagnostics diagnostics;
  parsed(kText).reject_unknown_keys({"name", "queue", "large"}, diagnostics);
  CHECK(diagnostics.to_string() ==
        "file.yaml:3:3: error: unknown key 'queues'; did you mean 'queue'?\n"
        "file.yaml:5:6: error: unknown key 'big'; known: name, queue, large\n");
}

TEST_CASE("a key given twice and broken YAML are refused with their place") {
  Diagnostics diagnostics;
  CHECK_FALSE(yaml::parse("a: 1\na: 2\n", "twice.yaml", diagnostics).has_value());
  CHECK_FALSE(yaml::parse("a: [1, 2\n", "open.yaml", diagnostics).has_value());
  REQUIRE(diagnostics.errors().size() == 2);
  CHECK(diagnostics.errors()[0].message == "key 'a' is given twice in this map; keep one");
  CHECK(diagnostics.errors()[0].location.line == 2);
  CHECK(diagnostics.errors()[1].location.file == "open.yaml");
  CHECK(diagnostics.errors()[1].location.line == 2);
}

TEST_CASE("an override replaces or adds a key by its path and carries its own location") {
  Diagnostics diagnostics;
  yaml::Node root = parsed(kText);
  CHECK(root.set("queues.1.entries", "64", without_lines("--set"), diagnostics));
  CHECK(root.set("added", "[1, 2]", without_lines("--set"), diagnostics));
  CHECK_FALSE(root.set("nowhere.entries", "64", without_lines("--set"), diagnostics));
  CHECK(root.find("queues")->items().at(1).find("entries")->as_integer(diagnostics) == 64);
  CHECK(root.find("queues")->items().at(1).find("entries")->location().file == "--set");
  CHECK(root.find("added")->items().size() == 2);
}

namespace {

std::string errors_of(const char* text) {
  Diagnostics diagnostics;
  CHECK_FALSE(yaml::parse(text, "m.yaml", diagnostics));
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("a missing colon is reported at the line that lacks it") {
  CHECK(errors_of("mapping: m\nchip ixp1200\n\n# why\nworkload: published\n") ==
        "m.yaml:2:1: error: a ':' is missing after the key 'chip'\n");
  CHECK(errors_of("mapping: m\nstages\n  - {name: receive}\n") ==
        "m.yaml:2:1: error: a ':' is missing after the key 'stages'\n");
  CHECK(errors_of("tuning:\n  receive_work 4\n  poll_work: 2\n") ==
        "m.yaml:2:3: error: a ':' is missing after the key 'receive_work'\n");
}

TEST_CASE("a colon too many is not taken for one that is missing before it") {
  CHECK(errors_of("summary: a text\n  that goes on\nfoo: bar: baz\n") ==
        "m.yaml:3:9: error: not valid YAML: illegal map value\n");
}

TEST_CASE("a missing colon within braces is reported at its key") {
  Diagnostics diagnostics;
  parsed("{name: receive, role receive}").reject_unknown_keys({"name", "role"}, diagnostics);
  CHECK(diagnostics.to_string() ==
        "file.yaml:1:17: error: a ':' is missing after the key 'role'\n");
}

TEST_CASE("what is set on the command line is named by its option, however deep an error is") {
  Diagnostics diagnostics;
  auto root = yaml::parse("queues: [{entries: 8}]", "in", diagnostics);
  REQUIRE(root);
  CHECK_FALSE(root->set("queues", "[{", without_lines("--set queues"), diagnostics));
  REQUIRE(root->set("queues", "[{entries: x}]", without_lines("--set queues"), diagnostics));
  CHECK_FALSE(root->find("queues")->items()[0].find("entries")->as_integer(diagnostics));
  const std::string text = diagnostics.to_string();
  INFO(text);
  CHECK(text.find("--set queues: error: not valid YAML: ") == 0);
  CHECK(text.find("--set queues: error: expected an integer, found 'x'\n") != text.npos);
}
