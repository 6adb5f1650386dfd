// Manifests: what they declare, and what is wrong with them.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr const char* kGood = R"(algorithm: example
summary: An example
dimensions: {min: 1, max: 3}
field_bits: 16
max_rules: 10
parameters:
  - {name: depth, default: 2, min: 1, max: 4}
tables:
  - {name: tree, memory: sram}
metadata:
  - {name: node, per_dimension: true}
  - {name: rule}
  - {name: action}
tasks:
  - {name: walk, source: walk.c, per: dimension, reads: ["packet.field[d]"], writes: ["node[d]"], tables: [tree]}
  - {name: join, source: walk.c, per: packet, reads: ["node[*]"], writes: [rule, action]}
)";

struct Outcome {
  std::optional<Manifest> manifest;
  std::string errors;
};

// Reads `text` as a manifest beside a file walk.c; errors name it `manifest.yaml`.
Outcome read_text(const std::string& text) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("nplab-manifest-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "walk.c") << "\n";
  const std::string path = (folder / "manifest.yaml").string();
  std::ofstream(path) << text;
  Diagnostics diagnostics;
  Outcome outcome{read_manifest(path, diagnostics), diagnostics.to_string()};
  for (auto at = outcome.errors.find(path); at != std::string::npos;
       at = outcome.errors.find(path)) {
    outcome.errors.replace(at, path.size(), "manifest.yaml");
  }
  std::filesystem::remove_all(folder);
  return outcome;
}

std::string errors_with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  REQUIRE(text.find(from) != std::string::npos);
  return read_text(text.replace(text.find(from), from.size(), to)).errors;
}

}  // namespace

TEST_CASE("a manifest declares limits, parameters, tables, metadata and tasks") {
  const Outcome outcome = read_text(kGood);
  CHECK(outcome.errors.empty());
  REQUIRE(outcome.manifest);
  const Manifest& manifest = *outcome.manifest;
  CHECK(manifest.max_dimensions == 3);
  CHECK(manifest.field_bits == 16);
  CHECK(manifest.parameters.at(0).default_value == 2);
  CHECK(manifest.find_table("tree")->memory == isa::MemorySpace::kSram);
  CHECK(manifest.find_metadata("node")->per_dimension);
  const TaskDeclaration& walk = *manifest.find_task("walk");
  CHECK(walk.per == TaskDeclaration::Per::kDimension);
  CHECK(walk.reads.at(0).kind == FieldReference::Kind::kPacketField);
  CHECK(walk.reads.at(0).selector == FieldReference::Selector::kOwnDimension);
  CHECK(walk.writes.at(0).name == "node");
  CHECK(manifest.find_task("join")->reads.at(0).selector ==
        FieldReference::Selector::kAllDimensions);
}

TEST_CASE("a task may read the packet's length") {
  std::string text = kGood;
  text.replace(text.find("\"node[*]\""), 9, "packet.length");
  const Outcome outcome = read_text(text);
  CHECK(outcome.errors.empty());
  REQUIRE(outcome.manifest);
  CHECK(outcome.manifest->find_task("join")->reads.at(0).kind ==
        FieldReference::Kind::kPacketLength);
}

TEST_CASE("one mistake in a manifest is reported at its place") {
  struct Edit {
    const char* from;
    const char* to;
    const char* errors;
  };
  const std::vector<Edit> edits = {
      {"field_bits: 16", "field_bits: 65",
       "manifest.yaml:4:13: error: field_bits: 65 is out of range: 1 to 64\n"},
      {"max: 3}", "max: 0}", "manifest.yaml:3:27: error: max: 0 is out of range: 1 to 64\n"},
      {"default: 2", "default: 5",
       "manifest.yaml:7:28: error: default: 5 is out of range: 1 to 4\n"},
      {"memory: sram", "memory: rom",
       "manifest.yaml:9:26: error: 'rom' is not one of sram, sdram, scratch\n"},
      {"name: tree", "name: my-tree",
       "manifest.yaml:9:12: error: 'my-tree' is not a name; a name has letters, digits and '_', "
       "and does not begin with a digit\n"
       "manifest.yaml:15:108: error: there is no table 'tree'; known: my-tree\n"},
      {"  - {name: action}\n", "",
       "manifest.yaml:11:3: error: the metadata 'action' is missing: every algorithm gives out "
       "rule and action\n"
       "manifest.yaml:15:82: error: there is no metadata 'action'; known: node, rule, "
       "packet.field[d], "
       "packet.field[*], packet.length\n"},
      {"\"node[*]\"", "\"packet.length[*]\"",
       "manifest.yaml:16:55: error: 'length' is one value: write no [d] or [*] after it\n"},
      {"[rule, action]", "[rule, packet.length]",
       "manifest.yaml:16:82: error: packet fields are read only; a task writes metadata\n"},
      {"name: rule}", "name: rule, per_dimension: true}",
       "manifest.yaml:12:5: error: the output 'rule' is one value, not one per dimension\n"
       "manifest.yaml:16:76: error: 'rule' has one value per dimension: write [d] or [*] after "
       "it\n"},
      {"source: walk.c", "source: wolk.c",
       "manifest.yaml:15:26: error: there is no file 'wolk.c' beside the "
       "manifest\n"},
      {"\"node[*]\"", "nodes",
       "manifest.yaml:16:55: error: there is no metadata 'nodes'; did you mean 'node'?\n"},
      {"\"node[*]\"", "node",
       "manifest.yaml:16:55: error: 'node' has one value per dimension: write [d] or [*] after "
       "it\n"},
      {"\"node[*]\"", "\"node[d]\"",
       "manifest.yaml:16:55: error: a task `per: packet` has no dimension of its own: write [*]\n"},
      {"[rule, action]", "[rule, \"packet.field[*]\"]",
       "manifest.yaml:16:82: error: packet fields are read only; a task writes metadata\n"},
      {"tables: [tree]", "tables: [tree], leave_when_zero: rule",
       "manifest.yaml:15:132: error: leave_when_zero names one value that the task writes\n"},
      {"tables: [tree]}\n",
       "tables: [tree], leave_when_zero: \"node[d]\"}\n"
       "  - {name: patch, source: walk.c, per: dimension, reads: [\"node[d]\"], writes: "
       "[\"node[d]\"]}\n",
       "manifest.yaml:16:79: error: 'patch' writes node, and 'walk' before it has leave_when_zero: "
       "node; it needs the same, so that a 0 still says that no rule matches\n"},
      {"name: join", "name: walk",
       "manifest.yaml:16:12: error: 'walk' is declared twice under tasks\n"},
      {"per: packet", "pre: packet",
       "manifest.yaml:16:39: error: unknown key 'pre'; did you mean 'per'?\n"
       "manifest.yaml:16:5: error: the key 'per' is missing here\n"},
  };
  for (const Edit& edit : edits) {
    INFO(edit.from << " -> " << edit.to);
    CHECK(errors_with(edit.from, edit.to) == edit.errors);
  }
}

TEST_CASE(
    "an algorithm whose last task is not reached by a fan-in of receive stages still sees each "
    "task once") {
  // Two engines receive into one classification stage, each through queues of its own.
  std::string text = edited("bv1", "  - {name: transmit,",
                            "  - {name: receive2, role: receive, engines: [4], threads: "
                            "2}\n  - {name: transmit,");
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("engines: [1, 2, 3, 4]", "engines: [1, 2, 3]");
  replace(
      "queues:\n",
      "queues:\n  - {name: received2, from: receive2, to: classify, per: consumer_thread, entries: "
      "16, memory: sram}\n");
  CHECK(place_errors(text).empty());
}

TEST_CASE("every shipped algorithm takes rule updates or says why it takes none") {
  std::size_t updated = 0;
  for (const auto& entry : std::filesystem::directory_iterator(mappings_folder())) {
    const auto path = entry.path() / "manifest.yaml";
    if (!std::filesystem::exists(path))
      continue;
    Diagnostics diagnostics;
    const auto manifest = read_manifest(path.string(), diagnostics);
    INFO(path << diagnostics.to_string());
    REQUIRE(manifest);
    const bool takes_updates =
        std::any_of(manifest->parameters.begin(), manifest->parameters.end(),
                    [](const auto& parameter) { return parameter.name == "updates"; });
    CHECK(takes_updates == manifest->no_updates_because.empty());
    updated += takes_updates ? 1 : 0;
  }
  CHECK(updated == 6);
}
