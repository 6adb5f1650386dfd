// The space of mappings: cuts, structures and points, each once and none missing.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "experiments/exploration/space.h"
#include "experiments/exploration/space_file.h"
#include "mappings/files/mapping_writer.h"
#include "mappings/resolver/linked_mapping.h"
#include "support/temporary_folder.h"
#include "tests/paths.h"

using namespace nplab;
using namespace nplab::experiments;

namespace {

mappings::Manifest manifest_of(const std::string& algorithm) {
  Diagnostics diagnostics;
  auto manifest =
      mappings::read_manifest(source_path("mappings/" + algorithm + "/manifest.yaml"), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(manifest);
  return std::move(*manifest);
}

mappings::ChipFacts chip_of(unsigned engines, unsigned contexts) {
  return {"small",
          engines,
          contexts,
          1024,
          {{isa::MemorySpace::kSram, 8U << 20},
           {isa::MemorySpace::kSdram, 256U << 20},
           {isa::MemorySpace::kScratch, 4U << 10}},
          8};
}

TaskGraph graph_of(const std::string& algorithm, unsigned dimensions) {
  Diagnostics diagnostics;
  auto graph = make_task_graph(manifest_of(algorithm), dimensions, diagnostics);
  REQUIRE(graph);
  return std::move(*graph);
}

// Every way to give each unit a stage, such that no stage is empty and none runs before a stage
// whose tasks it needs.
std::set<Cut> cuts_by_brute_force(const TaskGraph& graph, unsigned stages) {
  std::set<Cut> cuts;
  const std::size_t units = graph.units.size();
  std::vector<unsigned> stage(units, 0);
  for (;;) {
    std::vector<TaskSet> sets(stages, 0);
    bool is_ordered = true;
    for (std::size_t unit = 0; unit < units; ++unit) {
      sets[stage[unit]] |= TaskSet{1} << unit;
      for (std::size_t other = 0; other < units; ++other) {
        const bool comes_before = (graph.before(unit) >> other & 1) != 0;
        is_ordered = is_ordered && (!comes_before || stage[other] <= stage[unit]);
      }
    }
    if (is_ordered && std::find(sets.begin(), sets.end(), TaskSet{0}) == sets.end()) {
      Cut cut;
      for (const TaskSet set : sets)
        cut.push_back({set});
      cuts.insert(cut);
    }
    std::size_t at = 0;
    while (at < units && ++stage[at] == stages)
      stage[at++] = 0;
    if (at == units)
      return cuts;
  }
}

SpaceDescription small_description() {
  SpaceDescription space = default_space(manifest_of("bit-vector"), chip_of(5, 2));
  space.cuts.most_stages = 2;
  space.sharing = {EngineSharing::kOwn};
  space.engines_per_stage = {1, 2};
  space.takes_rest = false;
  space.threads = {2};
  space.receive_engines = {1};
  space.transmit_threads = {2};
  space.port_engines = {PortEngines::kApart};
  for (auto& [parameter, values] : space.parameters)
    values.resize(1);
  for (auto& [table, memories] : space.tables)
    memories.resize(1);
  return space;
}

Space space_of(const SpaceDescription& description, const mappings::ChipFacts& chip,
               const std::string& algorithm = "bit-vector", unsigned ports = 2) {
  Diagnostics diagnostics;
  auto space = Space::make({.manifest = manifest_of(algorithm),
                            .chip = chip,
                            .chip_name = "ixp1200",
                            .workload_name = "published",
                            .dimensions = 3,
                            .ports = ports,
                            .description = description},
                           diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(space);
  return std::move(*space);
}

std::vector<Point> points_of(const Space& space) {
  std::vector<Point> points;
  space.for_each([&](const Point& point) {
    points.push_back(point);
    return true;
  });
  return points;
}

// The engine's part in a mapping: the threads of each stage on it.
using EngineRole = std::map<std::string, std::vector<unsigned>>;

// What is left of a mapping when engines have no numbers: how many engines have which part, and
// everything else.
std::string without_engine_numbers(const mappings::MappingFile& mapping) {
  std::map<unsigned, EngineRole> roles;
  for (const mappings::StageEntry& stage : mapping.stages) {
    for (std::size_t i = 0; i < stage.engines.size(); ++i)
      roles[stage.engines[i].value][stage.name] = stage.contexts[i];
  }
  std::map<EngineRole, unsigned> counts;
  for (const auto& [engine, role] : roles)
    ++counts[role];
  std::string text;
  for (const auto& [role, count] : counts) {
    text += std::to_string(count) + "x";
    for (const auto& [stage, contexts] : role) {
      text += stage + "(";
      for (const unsigned context : contexts)
        text += std::to_string(context) + " ";
      text += ")";
    }
  }
  mappings::MappingFile rest = mapping;
  for (mappings::StageEntry& stage : rest.stages) {
    stage.engines.clear();
    stage.contexts.clear();
  }
  return text + "\n" + mappings::mapping_text(rest, {});
}

std::vector<mappings::MappingFile> mappings_of(const Space& space) {
  std::vector<mappings::MappingFile> found;
  for (const Point& point : points_of(space))
    found.push_back(space.mapping(point));
  return found;
}

}  // namespace

TEST_CASE("cuts in any order are those of brute force, each once", "[exploration]") {
  for (const unsigned dimensions : {1U, 2U, 3U}) {
    const TaskGraph graph = graph_of("bit-vector", dimensions);
    for (unsigned stages = 1; stages <= 4; ++stages) {
      INFO(dimensions << " dimensions in " << stages << " stages");
      const auto found = cuts_of(graph, {stages, stages, TaskOrder::kAny, false});
      const std::set<Cut> distinct(found.begin(), found.end());
      CHECK(distinct.size() == found.size());
      CHECK(distinct == cuts_by_brute_force(graph, stages));
    }
  }
}

TEST_CASE("cuts in the manifest's order are its compositions", "[exploration]") {
  const TaskGraph graph = graph_of("hicuts", 5);
  CHECK(cuts_of(graph, {1, 4, TaskOrder::kManifest, false}).size() == 8);  // 2^3
  CHECK(cuts_of(graph, {2, 2, TaskOrder::kManifest, false}).size() == 3);
}

TEST_CASE("forks share independent tasks out to two branches or more", "[exploration]") {
  const TaskGraph graph = graph_of("bit-vector", 3);
  std::set<std::string> forks;
  for (const Cut& cut : cuts_of(graph, {1, 5, TaskOrder::kManifest, true})) {
    const bool has_fork =
        std::any_of(cut.begin(), cut.end(), [](const Step& step) { return step.size() > 1; });
    if (has_fork && stages_of(cut) <= 4)
      forks.insert(to_string(graph, cut));
  }
  CHECK(forks == std::set<std::string>{"fork | (lookup[0] / lookup[1..]) | intersect act",
                                       "fork | (lookup[0..1] / lookup[2..]) | intersect act",
                                       "fork | (lookup[0] / lookup[1]) | lookup[2..] intersect act",
                                       "lookup[0] | (lookup[1] / lookup[2..]) | intersect act"});
  CHECK(cuts_of(graph_of("hicuts", 3), {1, 4, TaskOrder::kAny, true}).size() ==
        cuts_of(graph_of("hicuts", 3), {1, 4, TaskOrder::kAny, false}).size());
}

TEST_CASE("structures are the ways to give engines to stages, without the engines' numbers",
          "[exploration]") {
  const auto description = small_description();
  const auto chip = chip_of(5, 2);
  const TaskGraph graph = graph_of("bit-vector", 1);
  const auto cuts = cuts_of(graph, description.cuts);
  const auto structures = structures_of(description, cuts, chip, 2);

  // Brute force: each of the five engines receives, transmits, runs a stage or nothing.
  std::set<std::pair<std::size_t, std::vector<unsigned>>> by_brute_force;
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    const std::size_t stages = stages_of(cuts[cut]);
    const std::size_t roles = stages + 3;
    std::size_t assignments = 1;
    for (unsigned engine = 0; engine < chip.engines; ++engine)
      assignments *= roles;
    for (std::size_t one = 0; one < assignments; ++one) {
      std::vector<unsigned> engines(roles, 0);
      for (std::size_t rest = one, engine = 0; engine < chip.engines; ++engine, rest /= roles)
        ++engines[rest % roles];
      const bool has_ports = engines[stages] == 1 && engines[stages + 1] == 1;
      engines.resize(stages);
      const bool has_stages = std::all_of(engines.begin(), engines.end(),
                                          [](unsigned count) { return count == 1 || count == 2; });
      if (has_ports && has_stages)
        by_brute_force.emplace(cut, engines);
    }
  }
  std::set<std::pair<std::size_t, std::vector<unsigned>>> found;
  for (const Structure& structure : structures)
    found.emplace(structure.cut, structure.engines);
  CHECK(found == by_brute_force);
  CHECK(found.size() == structures.size());
}

TEST_CASE("no two points of a space are the same mapping with engines exchanged", "[exploration]") {
  SpaceDescription description = small_description();
  description.sharing = {EngineSharing::kOwn, EngineSharing::kPool};
  description.port_engines = {PortEngines::kApart, PortEngines::kTogether};
  description.transmit_threads = {1, 2};
  description.cuts.forks = true;
  description.cuts.most_stages = 3;
  description.takes_rest = true;
  description.received.entries = {64};
  description.classified.entries = {64};
  const Space space = space_of(description, chip_of(6, 2), "bit-vector", 1);
  const auto mappings = mappings_of(space);
  CHECK(mappings.size() == space.points());
  std::set<std::string> texts;
  for (const mappings::MappingFile& mapping : mappings)
    texts.insert(without_engine_numbers(mapping));
  CHECK(texts.size() == mappings.size());
}

TEST_CASE("no two shapes of a queue that are both in the space make the same rings",
          "[exploration]") {
  SpaceDescription description = small_description();
  using mappings::QueuePer;
  using mappings::QueueRoute;
  description.received.per = {QueuePer::kShared, QueuePer::kConsumerThread,
                              QueuePer::kProducerThread, QueuePer::kPair};
  description.received.route = {QueueRoute::kOwn, QueueRoute::kAll};
  description.received.entries = {64};
  description.between = description.classified = description.received;
  description.cuts.most_stages = 1;
  const auto chip = chip_of(3, 2);
  const Space space = space_of(description, chip);
  std::set<std::vector<std::vector<std::pair<std::size_t, std::size_t>>>> wirings;
  std::size_t legal = 0;
  for (const mappings::MappingFile& mapping : mappings_of(space)) {
    Diagnostics diagnostics;
    const auto linked = mappings::link(mapping, space.inputs().manifest, chip, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> wiring;
    for (const auto& rings : linked->instances) {
      wiring.emplace_back();
      for (const auto& ring : rings)
        wiring.back().emplace_back(ring.producers.size(), ring.consumers.size());
    }
    wirings.insert(wiring);
    ++legal;
  }
  CHECK(legal == 25);  // shared, own, and all by producer, consumer and pair, on either side
  CHECK(wirings.size() == legal);
}

TEST_CASE("the text of a point's mapping is read back as the same mapping", "[exploration]") {
  const auto folder_of_test = [] {
    Diagnostics diagnostics;
    return TemporaryFolder::create("nplab-test", diagnostics);
  };
  const auto folder = folder_of_test();
  REQUIRE(folder);
  const std::string file = (folder->path() / "m.yaml").string();
  SpaceDescription description = default_space(manifest_of("bit-vector"), chip_of(6, 4));
  description.cuts.forks = true;
  const Space space = space_of(description, chip_of(6, 4), "bit-vector", 4);
  workloads::Random random(7);
  for (int i = 0; i < 60; ++i) {
    const Point point = space.random(random);
    const std::string text = mappings::mapping_text(space.mapping(point), {"why", ""});
    std::ofstream(file) << text;
    Diagnostics diagnostics;
    const auto read = mappings::read_mapping_file(file, {}, diagnostics);
    INFO(text << diagnostics.to_string());
    REQUIRE(read);
    REQUIRE_FALSE(diagnostics.has_errors());
    CHECK(mappings::mapping_text(*read, {"why", ""}) == text);
    CHECK(space.is_canonical(point));
  }
}

TEST_CASE("the finest point of a space has a stage for each task where there are engines for them",
          "[exploration]") {
  const auto finest = [](const std::string& algorithm, const mappings::ChipFacts& chip) {
    const Space space = space_of(default_space(manifest_of(algorithm), chip), chip, algorithm, 4);
    workloads::Random random(5);
    const Point point = space.random(random);
    const Point found = space.finest(point);
    CHECK(Space::tail_of(found) == Space::tail_of(point));
    CHECK(space.is_canonical(found));
    CHECK(space.is_legal(found));
    // Of every other point, too: the profile does not depend on which is asked first.
    CHECK(Space::tail_of(space.finest(found)) == Space::tail_of(found));
    CHECK(space.finest(found).front() == found.front());
    return std::pair(stages_of(space.cut(found)), space.structure(found).sharing);
  };
  CHECK(finest("tuple-merge", chip_of(6, 4)) == std::pair(std::size_t{4}, EngineSharing::kOwn));
  // Two engines are left for four tasks: they share them.
  CHECK(finest("tuple-merge", chip_of(4, 4)) == std::pair(std::size_t{4}, EngineSharing::kPool));
}

TEST_CASE("neighbours are canonical points of the space, and never the point itself",
          "[exploration]") {
  const Space space =
      space_of(default_space(manifest_of("hicuts"), chip_of(6, 4)), chip_of(6, 4), "hicuts", 4);
  workloads::Random random(3);
  for (int i = 0; i < 10; ++i) {
    const Point point = space.random(random);
    const auto near = space.neighbours(point);
    CHECK(near.size() > 10);
    CHECK(std::set<Point>(near.begin(), near.end()).size() == near.size());
    for (const Point& other : near) {
      CHECK(other != point);
      CHECK(space.is_canonical(other));
    }
  }
}

TEST_CASE("a space file names every wrong value at its place", "[exploration]") {
  Diagnostics made;
  const auto folder = TemporaryFolder::create("nplab-test", made);
  REQUIRE(folder);
  const std::string file = (folder->path() / "s.yaml").string();
  const auto errors_of = [&](const std::string& text) {
    std::ofstream(file) << text;
    Diagnostics diagnostics;
    CHECK_FALSE(read_space(file, manifest_of("hicuts"), chip_of(6, 4), diagnostics));
    return diagnostics.to_string();
  };
  using Catch::Contains;
  const std::string wrong_values = errors_of(
      "space: s\n"
      "engines: {most: 7}\n"
      "tables: {tre: [sram]}\n"
      "parameters: {binth: [8, 300, 8], spfack: [1]}\n"
      "queues: {received: {entries: [100]}}\n"
      "stages: {least: 3, most: 2}\n");
  CHECK_THAT(wrong_values, Contains("s.yaml:2:17: error: the chip has 6 engines"));
  CHECK_THAT(wrong_values,
             Contains("s.yaml:3:15: error: 'hicuts' has no table 'tre'; did you mean 'tree'?"));
  CHECK_THAT(wrong_values, Contains("s.yaml:4:25: error: 'binth' is 0 to 255"));
  CHECK_THAT(wrong_values, Contains("s.yaml:4:30: error: '8' stands here twice"));
  CHECK_THAT(wrong_values, Contains("'hicuts' has no parameter 'spfack'; did you mean 'spfac'?"));
  CHECK_THAT(wrong_values, Contains("s.yaml:5:31: error: the number of entries is a power of two"));
  CHECK_THAT(wrong_values, Contains("s.yaml:6:17: error: at least 3 stages, but at most 2"));
  const std::string unknown_key = errors_of("space: s\nstages: {mots: 2}\noptimize: [fast]\n");
  CHECK_THAT(unknown_key, Contains("s.yaml:2:16: error: unknown key 'mots'; did you mean 'most'?"));
  CHECK_THAT(unknown_key, Contains("s.yaml:3:12: error: "));
}
