#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/parameters/check.h"
#include "support/parameters/json_schema.h"
#include "support/parameters/key_tables.h"
#include "support/parameters/old_names.h"
#include "support/parameters/section_reader.h"

namespace {

using namespace nplab;
using namespace nplab::parameters;

enum class Colour { kRed, kGreen };

std::vector<std::string> choice_words(Colour /*colour*/) {
  return {"red", "green"};
}

struct Lamp {
  unsigned watts = 0;
  bool is_on = false;
  std::string name;
  Colour colour{};
};

SectionReader<Lamp> lamp_reader() {
  SectionReader<Lamp> section;
  section.add("watts", &Lamp::watts, Range{1, 100}, "W", "[P] the label", "Power of the lamp.");
  section.formerly("power");
  section.add("is_on", &Lamp::is_on, kAnything, "", "", "Whether it burns.");
  section.add("name", &Lamp::name, kAnything, "", "", "What it is called.");
  section.add_choice("colour", &Lamp::colour, "colour", "", "What it shines.");
  return section;
}

yaml::Node parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto node = yaml::parse(text, "lamp.yaml", diagnostics);
  REQUIRE(node);
  return *node;
}

std::string problems_of(const std::string& text, const KeyMap& keys = lamp_reader().keys()) {
  Diagnostics diagnostics;
  yaml::Node node = parsed(text);
  rename_old_keys(node, keys, diagnostics);
  check(node, keys, diagnostics);
  return diagnostics.to_string();
}

// A file of every type that a value can have.
KeyMap street_keys() {
  return {{required("lamps", list(section(lamp_reader().keys()), 1), "The lamps."),
           optional("heights", names(number()), "", "Heights by name."),
           optional("length", one_of({integer(1, 9), list(integer(1, 9))}), "1", "Its length."),
           optional("side", choice({"left", "8"}), "left", "Where the lamps stand."),
           optional("mayor", identifier(), "", "Who put them up.")},
          ""};
}

}  // namespace

TEST_CASE("a described section reads its keys into the members of a struct") {
  Lamp lamp;
  lamp_reader().read(parsed("{watts: 40, is_on: true, name: hall, colour: green}"), lamp);
  CHECK(lamp.watts == 40);
  CHECK(lamp.is_on);
  CHECK(lamp.name == "hall");
  CHECK(lamp.colour == Colour::kGreen);
}

TEST_CASE("a choice that a file leaves out has its first word") {
  CHECK(problems_of("{watts: 40, is_on: true, name: hall}").empty());
  Lamp lamp;
  lamp_reader().read(parsed("{watts: 40, is_on: true, name: hall}"), lamp);
  CHECK(lamp.colour == Colour::kRed);
}

TEST_CASE("what does not fit a description is reported at its place, all at once") {
  CHECK(problems_of("watts: 101\nis_on: maybe\nnam: hall\ncolour: blue\n") ==
        "lamp.yaml:3:6: error: unknown key 'nam'; did you mean 'name'?\n"
        "lamp.yaml:1:8: error: watts: 101 is out of range: 1 to 100\n"
        "lamp.yaml:2:8: error: expected true or false, found 'maybe'\n"
        "lamp.yaml:1:1: error: the key 'name' is missing here\n"
        "lamp.yaml:4:9: error: colour: unknown colour 'blue'; known: red, green\n");
}

TEST_CASE("values in lists, in maps of names and of several types are checked") {
  CHECK(
      problems_of("lamps: []\nheights: {a: 2.5, b: x}\nlength: [1, 10]\nmayor: 9a\n",
                  street_keys()) ==
      "lamp.yaml:1:8: error: lamps: expected 1 or more items, found 0\n"
      "lamp.yaml:2:22: error: expected a number, found 'x'\n"
      "lamp.yaml:3:13: error: length: 10 is out of range: 1 to 9\n"
      "lamp.yaml:4:8: error: '9a' is not a name; a name has letters, digits and '_', and does not "
      "begin with a digit\n");
  CHECK(problems_of("lamps: {}\nlength: {a: 1}\n", street_keys()) ==
        "lamp.yaml:1:8: error: expected a list\n"
        "lamp.yaml:2:9: error: length: expected 1 to 9, or a list (1 to 9)\n");
}

TEST_CASE("a key's old name is read, with a warning that says the new one") {
  CHECK(problems_of("{power: 40, is_on: true, name: hall}") ==
        "lamp.yaml:1:9: warning: 'power' is deprecated; its name is now 'watts'\n");
  CHECK(problems_of("lamps: [{power: 40, is_on: true, name: hall}]", street_keys()) ==
        "lamp.yaml:1:17: warning: 'power' is deprecated; its name is now 'watts'\n");
}

TEST_CASE("an old name and the new one in one file are an error") {
  CHECK(problems_of("{watts: 3, power: 40, is_on: true, name: hall}") ==
        "lamp.yaml:1:19: error: 'power' is the old name of 'watts', which is given too; keep "
        "'watts'\n");
}

TEST_CASE("an override by the old name replaces what the file says") {
  Diagnostics diagnostics;
  yaml::Node node = parsed("{watts: 3, is_on: true, name: hall}");
  REQUIRE(node.set("power", "40", without_lines("--set power"), diagnostics));
  rename_old_keys(node, lamp_reader().keys(), diagnostics);
  CHECK(node.keys().size() == 3);
  CHECK(node.find("watts")->scalar() == "40");
  CHECK(diagnostics.warnings().size() == 1);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("the same warning is kept once") {
  Diagnostics diagnostics;
  diagnostics.warning({"a", 1, 1}, "old");
  diagnostics.warning({"a", 1, 1}, "old");
  diagnostics.warning({"a", 2, 1}, "old");
  CHECK(diagnostics.warnings().size() == 2);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("a schema states types, bounds, required keys, and refuses unknown ones") {
  const auto schema = nlohmann::json::parse(json_schema(lamp_reader().keys(), "lamp"));
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == nlohmann::json({"is_on", "name"}));
  CHECK(schema["allOf"][0]["anyOf"][1]["required"][0] == "power");
  const auto& watts = schema["properties"]["watts"];
  CHECK(watts["anyOf"][0] == nlohmann::json{{"type", "integer"}, {"minimum", 1}, {"maximum", 100}});
  CHECK(watts["description"] == "Power of the lamp. Unit: W.");
  CHECK(schema["properties"]["power"]["deprecated"] == true);
  CHECK(schema["properties"]["colour"]["enum"] == nlohmann::json({"red", "green"}));
}

TEST_CASE("a choice that reads as a number may be written without quotes") {
  const auto schema = nlohmann::json::parse(json_schema(street_keys(), "street"));
  CHECK(schema["properties"]["side"]["enum"] == nlohmann::json({"left", "8", 8}));
}

TEST_CASE(
    "a page's tables are written between their markers, and only columns that say something") {
  Diagnostics diagnostics;
  const KeyMap keys = lamp_reader().keys();
  const auto page = with_tables("# Lamps\n<!-- keys of lamp -->\nold\n<!-- end of keys -->\nEnd\n",
                                "page.md", {"lamp", &keys}, diagnostics);
  REQUIRE(page);
  CHECK(*page ==
        "# Lamps\n<!-- keys of lamp -->\n"
        "| key | value | unit | default | meaning | rests on |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| `watts` | 1 to 100 | W | required | Power of the lamp. | [P] the label |\n"
        "| `is_on` | true or false |  | required | Whether it burns. |  |\n"
        "| `name` | text |  | required | What it is called. |  |\n"
        "| `colour` | red, green |  | `red` | What it shines. |  |\n"
        "<!-- end of keys -->\nEnd\n");
  const KeyMap street = street_keys();
  CHECK_FALSE(with_tables("<!-- keys of street: lamp -->\n<!-- end of keys -->\n", "page.md",
                          {"street", &street}, diagnostics));
  CHECK_FALSE(
      with_tables("<!-- keys of street: lamps -->\n", "page.md", {"street", &street}, diagnostics));
  CHECK(diagnostics.to_string() ==
        "page.md:1:1: error: street files have no keys below 'lamp'\n"
        "page.md:1:1: error: '<!-- end of keys -->' is missing after this line\n");
}

TEST_CASE("every key has a path, also those of a list's items") {
  std::vector<std::string> paths;
  const KeyMap street = street_keys();
  for (const KeyPath& path : all_keys(street))
    paths.push_back(path.path);
  CHECK(paths == std::vector<std::string>{"lamps", "lamps.watts", "lamps.is_on", "lamps.name",
                                          "lamps.colour", "heights", "length", "side", "mayor"});
  CHECK(explained({"lamps.watts", find_keys(street, "lamps")->find("watts")}, "street") ==
        "lamps.watts (key of a street file)\n  Power of the lamp.\n  value: 1 to 100\n"
        "  default: required\n  unit: W\n  rests on: [P] the label\n"
        "  old name, deprecated: power\n");
}
