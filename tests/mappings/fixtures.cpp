#include "fixtures.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "mappings/files/catalog.h"
#include "mappings/resolver/verify.h"
#include "support/input_file.h"
#include "tests/paths.h"

namespace nplab::mappings::testing {
namespace {

std::string folder_of_mapping(const std::string& name) {
  const Catalog catalog(mappings_folder());
  for (const MappingListing& mapping : catalog.mappings()) {
    if (mapping.name == name)
      return mappings_folder() + "/" + mapping.algorithm + "/";
  }
  FAIL("there is no shipped mapping " << name);
  return "";
}

std::string algorithm_of(const std::string& text) {
  return text.find("linear-search") != std::string::npos ? "linear-search" : "bit-vector";
}

workloads::Range random_range(workloads::Random& random, unsigned bits) {
  const std::uint64_t most = workloads::max_value(bits);
  const std::uint64_t value = random.in({0, most});
  switch (random.below(4)) {
    case 0: return {0, most};
    case 1: return {value, value};
    case 2: {
      const std::uint64_t rest =
          workloads::max_value(static_cast<unsigned>(1 + random.below(bits)));
      return {value & ~rest, value | rest};
    }
    default: return {value, random.in({value, most})};
  }
}

}  // namespace

std::string mappings_folder() {
  return source_path("mappings");
}

ChipFacts ixp1200_facts() {
  return {"ixp1200",
          6,
          4,
          1024,
          {{isa::MemorySpace::kSram, 8u << 20},
           {isa::MemorySpace::kSdram, 256u << 20},
           {isa::MemorySpace::kScratch, 4096}},
          8};
}

ChipFacts multiprocessor_facts() {
  ChipFacts facts = ixp1200_facts();
  facts.engines = 13;
  facts.control_store_words = 8192;
  return facts;
}

workloads::RuleSet published_rules() {
  Diagnostics diagnostics;
  auto rules = workloads::read_rule_set(source_path("workloads/published.rules.yaml"), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(rules);
  return *rules;
}

workloads::RuleSet random_rules(std::uint64_t seed, std::size_t count,
                                const std::vector<unsigned>& bits) {
  workloads::Random random(seed);
  std::vector<workloads::FieldDefinition> fields;
  for (const unsigned width : bits)
    fields.push_back(
        {"f" + std::to_string(fields.size()), width, workloads::MatchKind::kRange, {}});
  std::vector<workloads::Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    workloads::Rule rule;
    for (const unsigned width : bits)
      rule.ranges.push_back(random_range(random, width));
    const auto kind = random.below(3);
    rule.action = kind == 0   ? workloads::Action::allow()
                  : kind == 1 ? workloads::Action::deny()
                              : workloads::Action::forward(static_cast<unsigned>(random.below(8)));
    rule.location = {"random.rules", static_cast<int>(i + 1), 1};
    rules.push_back(std::move(rule));
  }
  return {"random.rules", "", fields, rules};
}

std::shared_ptr<const PlacedMapping> link_and_place(const MappingFile& mapping,
                                                    const Manifest& manifest, const ChipFacts& chip,
                                                    const workloads::RuleSet& rules,
                                                    Diagnostics& diagnostics) {
  auto placed = place(*link(mapping, manifest, chip, diagnostics), {rules}, diagnostics);
  if (placed) {
    REQUIRE(verify(placed->placement) == std::vector<std::string>{});
    REQUIRE(verify_memory(placed->placement, placed->memory) == std::vector<std::string>{});
  }
  return placed;
}

namespace {

std::shared_ptr<const PlacedMapping> try_to_place(const std::string& name,
                                                  const workloads::RuleSet& rules,
                                                  const std::vector<MappingOverride>& overrides,
                                                  const ChipFacts& chip, Diagnostics& diagnostics) {
  const std::string folder = folder_of_mapping(name);
  const auto manifest = read_manifest(folder + "manifest.yaml", diagnostics);
  const auto mapping = read_mapping_file(folder + name + ".yaml", overrides, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(manifest);
  REQUIRE(mapping);
  return link_and_place(*mapping, *manifest, chip, rules, diagnostics);
}

}  // namespace

PlacedMapping place_shipped(const std::string& name, const workloads::RuleSet& rules,
                            const std::vector<MappingOverride>& overrides, const ChipFacts& chip) {
  Diagnostics diagnostics;
  const auto placed = try_to_place(name, rules, overrides, chip, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(placed);
  return *placed;
}

bool has_room(const std::string& name, const workloads::RuleSet& rules,
              const std::vector<MappingOverride>& overrides, const ChipFacts& chip) {
  Diagnostics diagnostics;
  if (try_to_place(name, rules, overrides, chip, diagnostics))
    return true;
  const std::string text = diagnostics.to_string();
  INFO(text);
  CHECK((text.find("the rule set is too large") != std::string::npos ||
         text.find("does not fit") != std::string::npos));
  return false;
}

PlacedMapping place_shipped(const std::string& name) {
  return place_shipped(name, published_rules());
}

std::string place_errors(const std::string& text, const workloads::RuleSet& rules,
                         const std::vector<MappingOverride>& overrides) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("nplab-mappings-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "m.yaml").string();
  std::ofstream(path) << text;
  Diagnostics diagnostics;
  const auto manifest =
      read_manifest(mappings_folder() + "/" + algorithm_of(text) + "/manifest.yaml", diagnostics);
  const auto mapping = read_mapping_file(path, overrides, diagnostics);
  if (manifest && mapping)
    link_and_place(*mapping, *manifest, ixp1200_facts(), rules, diagnostics);
  std::filesystem::remove_all(folder);
  std::string lines = diagnostics.to_string();
  for (auto at = lines.find(path); at != std::string::npos; at = lines.find(path)) {
    lines.replace(at, path.size(), "m.yaml");
  }
  return lines;
}

std::string place_errors(const std::string& text) {
  return place_errors(text, published_rules());
}

std::string edited(const std::string& name, const std::string& from, const std::string& to) {
  Diagnostics diagnostics;
  auto file = read_input_file(folder_of_mapping(name) + name + ".yaml", diagnostics);
  REQUIRE(file);
  const auto at = file->bytes.find(from);
  REQUIRE(at != std::string::npos);
  return file->bytes.replace(at, from.size(), to);
}

std::vector<std::uint64_t> random_key(workloads::Random& random, const workloads::RuleSet& rules) {
  const workloads::Rule& rule = rules.rules()[random.below(rules.size())];
  const auto kind = random.below(4);
  std::vector<std::uint64_t> key;
  for (std::size_t d = 0; d < rules.fields().size(); ++d) {
    const std::uint64_t most = workloads::max_value(rules.fields()[d].bits);
    const workloads::Range& range = rule.ranges[d];
    switch (kind) {
      case 0: key.push_back(random.in(range)); break;
      case 1: key.push_back(random.chance(0.5) ? range.low : range.high); break;
      case 2:
        key.push_back(range.high < most ? range.high + 1
                      : range.low > 0   ? range.low - 1
                                        : range.low);
        break;
      default: key.push_back(random.in({0, most}));
    }
  }
  return key;
}

const TablePlacement& table(const PlacedMapping& placed, const std::string& name) {
  for (const TablePlacement& one : placed.placement.tables) {
    if (one.name == name)
      return one;
  }
  FAIL("no table " << name);
  return placed.placement.tables.front();
}

workloads::RuleSet gupta_mckeown_rules() {
  const std::vector<std::vector<workloads::Range>> ranges = {{{0, 1}, {0, 1}}, {{0, 3}, {2, 3}},
                                                             {{4, 7}, {0, 3}}, {{0, 1}, {0, 3}},
                                                             {{0, 3}, {4, 7}}, {{0, 7}, {4, 7}}};
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    rules.emplace_back();
    rules.back().ranges = one;
  }
  return {"", "", {{"source", 3, {}, {}}, {"destination", 3, {}, {}}}, rules};
}

}  // namespace nplab::mappings::testing
