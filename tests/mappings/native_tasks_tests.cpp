// The tasks' C sources against the reference classifier, on the host.
#include <catch2/catch.hpp>
#include <sstream>

#include "fixtures.h"
#include "mappings/files/catalog.h"
#include "mappings/include/verdict.h"
#include "mappings/tables/action_word.h"
#include "native_tasks.h"
#include "support/input_file.h"
#include "tests/shared_collection.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

void check_key(const NativeTasks& tasks, const workloads::ReferenceClassifier& reference,
               const workloads::RuleSet& rules, const std::vector<std::uint64_t>& key) {
  const auto expected = reference.classify(key);
  const Verdict verdict = tasks.run(key);
  const std::uint32_t rule = expected ? expected->value() : NO_MATCH;
  const std::uint32_t action = expected ? action_word(rules.rule(*expected).action) : ACTION_DENY;
  if (verdict.rule == rule && verdict.action == action)
    return;
  CAPTURE(key);
  CHECK(verdict.rule == rule);
  CHECK(verdict.action == action);
}

// Of these the tables grow with a power of the rules: they refuse most sets of many random rules.
bool grows_with_a_power(const std::string& mapping) {
  for (const char* name : {"rfc-", "cross-"}) {
    if (mapping.starts_with(name))
      return true;
  }
  return false;
}

// The first of the rules, as many as the mapping has room for: all, a half, a quarter ...
workloads::RuleSet fitting_rules(const std::string& mapping, const workloads::RuleSet& rules,
                                 const std::vector<MappingOverride>& overrides) {
  for (std::size_t count = rules.size(); count > 0; count /= 2) {
    std::vector<workloads::Rule> first(rules.rules().begin(),
                                       rules.rules().begin() + static_cast<std::ptrdiff_t>(count));
    workloads::RuleSet part(rules.name(), "", rules.fields(), std::move(first));
    if (has_room(mapping, part, overrides, host_chip()))
      return part;
  }
  FAIL("not one rule has room");
  return rules;
}

void check_random_keys(const std::string& mapping, const workloads::RuleSet& all_rules,
                       std::vector<MappingOverride> overrides) {
  overrides.push_back(host_pins(mapping));
  const workloads::RuleSet rules =
      grows_with_a_power(mapping) ? fitting_rules(mapping, all_rules, overrides) : all_rules;
  const PlacedMapping placed = place_shipped(mapping, rules, overrides, host_chip());
  const NativeTasks tasks(placed);
  const workloads::ReferenceClassifier reference(rules);
  workloads::Random random(7);
  for (int i = 0; i < 3000; ++i)
    check_key(tasks, reference, rules, random_key(random, rules));
}

struct Variant {
  std::string mapping;
  std::vector<MappingOverride> overrides;
};

// Every shipped mapping as it is, and some with other parameters.
const std::vector<Variant>& variants() {
  static const std::vector<Variant> kVariants = [] {
    std::vector<Variant> all = {
        {"ls", {{"parameters", "{list_cells: 1}", {}}}},
        {"ls", {{"parameters", "{whole_record: 1}", {}}}},
        {"bv1",
         {{"parameters.stride", "3", {}},
          {"parameters.node_quadwords", "0", {}},
          {"parameters.find_bset", "1", {}}}},
        {"bv1", {{"parameters.stride", "8", {}}, {"parameters.node_quadwords", "0", {}}}},
        {"bv2", {{"parameters.find_bset", "1", {}}}},
        {"tm-data", {{"parameters.collision_limit", "1", {}}}},
        {"tss-data", {{"parameters.hash_unit", "0", {}}}},
        {"tm-pipe", {{"parameters.hash_unit", "0", {}}, {"parameters.collision_limit", "2", {}}}},
        {"hicuts-data",
         {{"parameters.binth", "2", {}},
          {"parameters.spfac", "2", {}},
          {"parameters.levels", "1", {}}}},
        {"abv-data", {{"parameters.levels", "2", {}}}},
        {"rfc-data", {{"parameters.phases", "3", {}}}},
        {"cross-data", {{"parameters.cache_shift", "0", {}}}},
        {"cross-data", {{"parameters.cache_shift", "1", {}}, {"parameters.stride", "3", {}}}},
        {"hypersplit-data", {{"parameters.binth", "1", {}}, {"parameters.levels", "1", {}}}},
        {"cutsplit-data",
         {{"parameters.binth", "1", {}},
          {"parameters.small_bits", "3", {}},
          {"parameters.cut_bits", "2", {}}}},
        {"pruning-data", {{"parameters.hash_unit", "0", {}}}},
        {"precomputation-data", {{"parameters.hash_unit", "0", {}}}},
        {"ibv-data", {{"parameters.changes", "0", {}}}},
        {"ibv-data", {{"parameters.changes", "1", {}}, {"parameters.stride", "1", {}}}},
        {"ibv-data", {{"parameters.changes", "6", {}}}},
        {"fis-data", {{"parameters.levels", "1", {}}}},
        {"fis-data", {{"parameters.levels", "5", {}}}},
        {"abv-data", {{"parameters.rearranged", "1", {}}, {"parameters.group_shift", "1", {}}}},
        {"abv-data",
         {{"parameters.rearranged", "1", {}},
          {"parameters.levels", "2", {}},
          {"parameters.stride", "1", {}}}},
        {"ovs-data", {{"parameters.mega_flows", "0", {}}}},
        {"ovs-data",
         {{"parameters.ordered", "1", {}},
          {"parameters.early_stop", "1", {}},
          {"parameters.mega_masks", "3", {}}}},
        {"ovs-data",
         {{"parameters.merged", "1", {}},
          {"parameters.early_stop", "1", {}},
          {"parameters.hash_unit", "0", {}}}},
    };
    const Catalog catalog(mappings_folder());
    for (const MappingListing& mapping : catalog.mappings())
      if (mapping.algorithm != "match-unit")  // asks a unit that the host does not have
        all.push_back({mapping.name, {}});
    return all;
  }();
  return kVariants;
}

}  // namespace

TEST_CASE(
    "every variant of every shipped mapping answers every key of the published rules as the "
    "reference does") {
  const workloads::RuleSet rules = published_rules();
  const workloads::ReferenceClassifier reference(rules);
  for (const Variant& variant : variants()) {
    auto overrides = variant.overrides;
    overrides.push_back(host_pins(variant.mapping));
    INFO(variant.mapping);
    const PlacedMapping placed = place_shipped(variant.mapping, rules, overrides, host_chip());
    const NativeTasks tasks(placed);
    for (std::uint64_t point = 0; point < 16 * 16 * 16; ++point) {
      check_key(tasks, reference, rules, {point & 15, point >> 4 & 15, point >> 8});
    }
    CHECK(tasks.run({6, 10, 2}).rule == 1);  // the publication's example: r2
  }
}

TEST_CASE("every variant answers keys of random rules as the reference does") {
  const std::vector<std::vector<unsigned>> shapes = {
      {32}, {1, 32}, {4, 7, 13}, {32, 32, 16, 8}, {32, 32, 16, 16, 8}};
  std::uint64_t seed = 1;
  for (const Variant& variant : variants()) {
    for (const auto& bits : shapes) {
      const std::size_t count = 1 + seed * 37 % 150;
      INFO(variant.mapping << ", " << bits.size() << " dimensions, " << count << " rules, seed "
                           << seed);
      check_random_keys(variant.mapping, random_rules(seed++, count, bits), variant.overrides);
    }
  }
}

TEST_CASE("five dimensions of 32 bits and 512 rules are answered as the reference does") {
  const auto rules = random_rules(99, 512, {32, 32, 32, 32, 32});
  for (const char* mapping : {"ls", "bv1", "tss-data", "tm-data", "abv-data", "cross-data",
                              "pruning-data", "precomputation-data", "ibv-data"})
    check_random_keys(mapping, rules, {});
}

TEST_CASE("sets of the ClassBench kind are answered as listed with them") {
  for (const char* set : {"acl1_500", "fw1_500", "ipc1_500"}) {
    const std::string rules_path = shared_file(std::string("classbench/") + set + ".rules.xz");
    const std::string headers_path = shared_file(std::string("classbench/") + set + ".edge.xz");
    if (rules_path.empty() || headers_path.empty())
      return;
    Diagnostics diagnostics;
    const auto rules = workloads::read_rule_set(rules_path, diagnostics);
    const auto headers = read_input_file(headers_path, diagnostics);
    REQUIRE(rules);
    REQUIRE(headers);
    for (const char* mapping :
         {"ls", "bv1", "tss-data", "tm-data", "hicuts-data", "abv-data", "rfc-data", "cross-data",
          "hypersplit-data", "cutsplit-data", "hierarchical-data", "set-pruning-data", "grid-data",
          "quadtree-data", "fis-data", "pruning-data", "precomputation-data", "ibv-data"}) {
      const PlacedMapping placed =
          place_shipped(mapping, *rules, {host_pins(mapping)}, host_chip());
      const NativeTasks tasks(placed);
      std::istringstream lines(headers->bytes);
      std::vector<std::uint64_t> key(5);
      long long expected = 0;
      std::size_t count = 0;
      while (lines >> key[0] >> key[1] >> key[2] >> key[3] >> key[4] >> expected) {
        const std::uint32_t rule = expected < 0 ? NO_MATCH : static_cast<std::uint32_t>(expected);
        if (tasks.run(key).rule != rule)
          CHECK(tasks.run(key).rule == rule);
        ++count;
      }
      CHECK(count == 2000);
    }
  }
}
