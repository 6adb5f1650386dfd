// Many fields: cells of superfields, cuckoo hash tables, and the tasks against the reference.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <set>

#include "mappings/include/verdict.h"
#include "mappings/many-field/cells.h"
#include "mappings/many-field/cuckoo_tables.h"
#include "tests/mappings/fixtures.h"
#include "tests/mappings/native_tasks.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using workloads::MatchKind;

namespace {

using Fields = std::vector<workloads::FieldDefinition>;

workloads::RuleSet rules_of(const Fields& fields,
                            const std::vector<std::vector<workloads::Range>>& ranges) {
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    rules.emplace_back();
    rules.back().ranges = one;
    rules.back().location = {"some.rules", static_cast<int>(rules.size()), 1};
  }
  return {"some.rules", "", fields, rules};
}

// Rules whose values come from a few per field, so that rules overlap; a third are any.
workloads::RuleSet overlapping_rules(std::uint64_t seed, std::size_t count, const Fields& fields) {
  workloads::Random random(seed);
  std::vector<std::vector<workloads::Range>> values;
  for (const auto& field : fields) {
    values.emplace_back();
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t value = random.in(any_value(field));
      const std::uint64_t free =
          workloads::max_value(1 + static_cast<unsigned>(random.below(field.bits)));
      if (field.match == MatchKind::kExact)
        values.back().push_back({value, value});
      else if (field.match == MatchKind::kPrefix)
        values.back().push_back({value & ~free, value | free});
      else
        values.back().push_back({value, random.in({value, any_value(field).high})});
    }
    values.back().push_back(any_value(field));
    values.back().push_back(any_value(field));
    values.back().push_back(any_value(field));
  }
  std::vector<std::vector<workloads::Range>> rules(count);
  for (auto& ranges : rules) {
    for (const auto& of_field : values)
      ranges.push_back(of_field[random.below(of_field.size())]);
  }
  return rules_of(fields, rules);
}

// A point of a rule, its edge, or beside it.
std::vector<std::uint64_t> key_near_rules(workloads::Random& random,
                                          const workloads::RuleSet& rules) {
  const auto& rule = rules.rules()[random.below(rules.size())];
  std::vector<std::uint64_t> key;
  for (std::size_t i = 0; i < rules.fields().size(); ++i) {
    const workloads::Range& range = rule.ranges[i];
    const std::uint64_t last = workloads::max_value(rules.fields()[i].bits);
    switch (random.below(12)) {
      case 0: key.push_back(range.low == 0 ? 0 : range.low - 1); break;
      case 1: key.push_back(range.high == last ? last : range.high + 1); break;
      case 2: key.push_back(range.high); break;
      case 3: key.push_back(range.low); break;
      default: key.push_back(random.in(range));
    }
  }
  return key;
}

void check_answers(const std::string& mapping, const workloads::RuleSet& rules,
                   std::vector<MappingOverride> overrides, std::uint64_t seed) {
  overrides.push_back(host_pins(mapping));
  const PlacedMapping placed = place_shipped(mapping, rules, overrides, host_chip());
  const NativeTasks tasks(placed);
  const workloads::ReferenceClassifier reference(rules);
  workloads::Random random(seed);
  std::size_t matched = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto key = key_near_rules(random, rules);
    const auto expected = reference.classify(key);
    matched += expected ? 1 : 0;
    const std::uint32_t rule = expected ? expected->value() : NO_MATCH;
    if (tasks.run(key).rule != rule) {
      CAPTURE(key);
      CHECK(tasks.run(key).rule == rule);
    }
  }
  CHECK(matched > 200);
}

Fields openflow_fields() {
  return {{"in_port", 32, MatchKind::kExact, {}},  {"metadata", 64, MatchKind::kExact, {}},
          {"eth_src", 48, MatchKind::kExact, {}},  {"eth_dst", 48, MatchKind::kExact, {}},
          {"eth_type", 16, MatchKind::kExact, {}}, {"vid", 12, MatchKind::kExact, {}},
          {"vprty", 3, MatchKind::kExact, {}},     {"mpls_lbl", 20, MatchKind::kExact, {}},
          {"mpls_tfc", 3, MatchKind::kExact, {}},  {"sa", 32, MatchKind::kPrefix, {}},
          {"da", 32, MatchKind::kPrefix, {}},      {"prtl", 8, MatchKind::kExact, {}},
          {"tos", 6, MatchKind::kExact, {}},       {"sp", 16, MatchKind::kRange, {}},
          {"dp", 16, MatchKind::kRange, {}}};
}

MappingOverride set(const std::string& parameter, std::uint64_t value) {
  return {"parameters", fmt::format("{{{}: {}}}", parameter, value), {}};
}

}  // namespace

TEST_CASE("cells of one field are the intervals of its axis, equal neighbours joined") {
  const auto rules = rules_of({{"a", 8, MatchKind::kRange, {}}}, {{{10, 20}}, {{15, 255}}});
  many_field::VectorStore store(rules.size());
  many_field::CellMaker maker(rules, {0}, store, 100, 100);
  REQUIRE(maker.make());
  CHECK(maker.cells().lows == std::vector<std::uint64_t>{0, 10, 15, 21});
  CHECK(store.count() == 3);  // rule 0; both; rule 1
  CHECK(maker.cells().targets[0] == many_field::CellTarget{});
  CHECK(store.vector(maker.cells().targets[2].number)[0] == 0xc0000000);
}

TEST_CASE("exact values of a superfield are ranges of its bits, one for each combination") {
  const Fields fields = {{"a", 8, MatchKind::kExact, {}}, {"b", 4, MatchKind::kExact, {}}};
  const auto rules = rules_of(fields, {{{3, 3}, {1, 1}}, {{3, 3}, {7, 7}}, {{9, 9}, {1, 1}}});
  many_field::VectorStore store(rules.size());
  many_field::CellMaker maker(rules, {0, 1}, store, 100, 100);
  REQUIRE(maker.make());
  CHECK(maker.cells().lows == std::vector<std::uint64_t>{0, 0x31, 0x32, 0x37, 0x38, 0x91, 0x92});
  CHECK(maker.spaces().empty());
  CHECK(store.count() == 3);
}

TEST_CASE("values that only wildcards match go on in a space without the first field") {
  const Fields fields = {{"a", 8, MatchKind::kExact, {}}, {"b", 4, MatchKind::kExact, {}}};
  const auto rules = rules_of(fields, {{{3, 3}, {1, 1}}, {{0, 255}, {7, 7}}});
  many_field::VectorStore store(rules.size());
  many_field::CellMaker maker(rules, {0, 1}, store, 100, 100);
  REQUIRE(maker.make());
  // 00..2f any a: only b counts; 30 nothing, 31 rule 0, 32 nothing, 37 rule 1, 38 nothing; 40..ff
  CHECK(maker.cells().lows == std::vector<std::uint64_t>{0, 0x30, 0x31, 0x32, 0x37, 0x38, 0x40});
  REQUIRE(maker.spaces().size() == 1);
  CHECK(maker.spaces()[0].mask == 0xf);
  CHECK(maker.spaces()[0].cells.lows == std::vector<std::uint64_t>{0, 7, 8});
  const many_field::CellTarget space{many_field::CellTarget::Kind::kSpace, 0};
  CHECK(maker.cells().targets.front() == space);
  CHECK(maker.cells().targets.back() == space);
  CHECK(store.count() == 2);
}

TEST_CASE("a cross product with more cells or vectors than allowed is refused") {
  const auto rules = overlapping_rules(3, 60,
                                       {{"a", 16, MatchKind::kExact, {}},
                                        {"b", 16, MatchKind::kExact, {}},
                                        {"c", 16, MatchKind::kExact, {}}});
  many_field::VectorStore store(rules.size());
  CHECK_FALSE(many_field::CellMaker(rules, {0, 1, 2}, store, 50, 1000).make());
  many_field::VectorStore other(rules.size());
  CHECK_FALSE(many_field::CellMaker(rules, {0, 1, 2}, other, 10000, 50).make());
}

TEST_CASE("every value of a cuckoo hash table lies in one of its two slots, in at most 4 q slots") {
  workloads::Random random(5);
  for (const unsigned bits : {3u, 12u, 32u, 48u, 64u}) {
    for (const std::size_t count : {0u, 1u, 8u, 100u, 5000u}) {
      std::set<std::uint64_t> values;
      const std::uint64_t most = workloads::max_value(bits);
      while (values.size() < std::min<std::uint64_t>(count, most))
        values.insert(random.in({0, most}));
      std::vector<many_field::CuckooEntry> entries;
      for (const std::uint64_t value : values)
        entries.push_back({value, static_cast<std::uint32_t>(entries.size() + 1)});
      const auto table = many_field::make_cuckoo_table(bits, entries, 0);
      REQUIRE(table);
      INFO(bits << " bits, " << values.size() << " values, " << table->half);
      std::size_t found = 0, used = 0;
      for (const auto& entry : entries) {
        const auto [first, second] = many_field::slots_of(entry.value, *table);
        REQUIRE(first < table->half);
        REQUIRE(second >= table->half);
        REQUIRE(second < 2 * table->half);
        for (const std::size_t slot : {first, second})
          found +=
              table->slots[slot].value == entry.value && table->slots[slot].vector == entry.vector
                  ? 1
                  : 0;
      }
      for (const auto& slot : table->slots)
        used += slot.vector != 0 ? 1 : 0;
      CHECK(found == entries.size());
      CHECK(used == entries.size());
      if (bits > 12)  // of short fields nearly all values are there, and the hash is linear
        CHECK(table->half <= 4 * std::max<std::size_t>(1, entries.size()));
    }
  }
}

TEST_CASE("fifteen fields of up to 64 bits are answered as the reference does, grouped or not") {
  // Superfields of the publication: eth_type + mpls_lbl + tos; in_port + vid + vprty + prtl +
  // mpls_tfc.
  const std::vector<std::vector<MappingOverride>> variants = {
      {},
      {{"parameters", "{superfield_1: 4240, superfield_2: 2401}", {}}},
      {{"parameters", "{superfield_1: 0x6000, superfield_2: 0x600}", {}}},  // prefixes, ranges
      {set("sub_vector", 0)},
      {{"parameters", "{sub_vector: 2, burst_quadwords: 1}", {}}},
      {{"parameters", "{sub_vector: 16, burst_quadwords: 2}", {}}}};
  std::uint64_t seed = 11;
  for (const auto& overrides : variants) {
    for (const char* mapping : {"many-field-data", "many-field-pipe"}) {
      INFO(mapping << ", seed " << seed);
      check_answers(mapping, overlapping_rules(seed, 40 + seed % 5 * 70, openflow_fields()),
                    overrides, seed);
      ++seed;
    }
  }
}

TEST_CASE("any fields make a superfield: three superfields of every kind of match, up to 64 bits") {
  const Fields fields = {{"a", 33, MatchKind::kRange, {}}, {"b", 31, MatchKind::kExact, {}},
                         {"c", 5, MatchKind::kPrefix, {}}, {"d", 32, MatchKind::kExact, {}},
                         {"e", 32, MatchKind::kRange, {}}, {"f", 1, MatchKind::kExact, {}}};
  check_answers("many-field-data", overlapping_rules(5, 120, fields),
                {{"parameters", "{superfield_1: 3, superfield_3: 36, superfield_7: 24}", {}}}, 9);
  check_answers("many-field-data", overlapping_rules(6, 40, {{"a", 64, MatchKind::kRange, {}}}), {},
                9);
}

TEST_CASE("superfields that overlap or are too wide are refused by name") {
  const auto rules = overlapping_rules(5, 10, openflow_fields());
  const auto errors_with = [&](const std::string& parameters) {
    const std::string folder = mappings_folder() + "/many-field/";
    Diagnostics diagnostics;
    const auto manifest = read_manifest(folder + "manifest.yaml", diagnostics);
    const auto mapping = read_mapping_file(folder + "many-field-data.yaml",
                                           {{"parameters", parameters, {}}}, diagnostics);
    REQUIRE(manifest);
    REQUIRE(mapping);
    CHECK_FALSE(link_and_place(*mapping, *manifest, ixp1200_facts(), rules, diagnostics));
    return diagnostics.to_string();
  };
  CHECK_THAT(
      errors_with("{superfield_1: 3, superfield_2: 48}"),
      Catch::Contains("the superfield of in_port, metadata has 96 bits; a search takes up to 64"));
  CHECK_THAT(errors_with("{superfield_1: 48, superfield_2: 96}"),
             Catch::Contains("superfield_2: field 5 ('vid') is in another superfield already"));
  CHECK_THAT(errors_with("{sub_vector: 6}"),
             Catch::Contains("sub_vector is 6 longwords; it is 0 (complete vectors) or a power of "
                             "two of at least 8"));
  CHECK_THAT(errors_with("{burst_quadwords: 3}"), Catch::Contains("burst_quadwords is 3"));
}
