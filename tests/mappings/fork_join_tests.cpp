// Forks and joins: a packet's tasks on several threads at the same time.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

using Names = std::vector<std::string>;

workloads::RuleSet five_fields() {
  return random_rules(3, 20, {32, 32, 16, 16, 8});
}

const Queue& queue_named(const Placement& placement, const std::string& name) {
  const auto& queues = placement.queues;
  return *std::find_if(queues.begin(), queues.end(),
                       [&](const Queue& queue) { return queue.name == name; });
}
const Stage& stage_named(const Placement& placement, const std::string& name) {
  const auto& stages = placement.stages;
  return *std::find_if(stages.begin(), stages.end(),
                       [&](const Stage& stage) { return stage.name == name; });
}

Names carried(const Placement& placement, const std::string& queue) {
  Names names;
  for (const MetadataElement& element : queue_named(placement, queue).carried)
    names.push_back(to_string(element));
  return names;
}

// What placing abv-control says once `from` is replaced by `to` in it.
std::string errors_with(const std::string& from, const std::string& to) {
  const auto path =
      std::filesystem::temp_directory_path() / ("nplab-fork-" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << edited("abv-control", from, to);
  Diagnostics diagnostics;
  const auto manifest =
      read_manifest(mappings_folder() + "/aggregated-bit-vector/manifest.yaml", diagnostics);
  const auto mapping = read_mapping_file(path.string(), {}, diagnostics);
  std::filesystem::remove(path);
  REQUIRE(manifest);
  REQUIRE(mapping);
  const ChipFacts chip = multiprocessor_facts();
  const auto rules = five_fields();
  CHECK_FALSE(link_and_place(*mapping, *manifest, chip, rules, diagnostics));
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("each branch of a fork brings the join what it wrote, and nothing is carried into it") {
  const Placement placement =
      place_shipped("abv-control", five_fields(), {}, multiprocessor_facts()).placement;
  const Stage& fork = stage_named(placement, "fork");
  const Stage& join = stage_named(placement, "join");
  CHECK(fork.outputs.size() == 5);
  CHECK_FALSE(fork.joins);
  CHECK(join.inputs.size() == 5);
  CHECK(join.joins);
  for (unsigned d = 0; d < 5; ++d) {
    CHECK(carried(placement, "ask" + std::to_string(d)).empty());
    CHECK(carried(placement, "found" + std::to_string(d)) ==
          Names{"vector[" + std::to_string(d) + "]"});
    CHECK(queue_named(placement, "found" + std::to_string(d)).entry_longwords == 3);
  }
}

TEST_CASE(
    "dimensions that the rules lack leave their branch without work, and it is taken all the "
    "same") {
  const Placement placement =
      place_shipped("abv-control", published_rules(), {}, multiprocessor_facts()).placement;
  CHECK(carried(placement, "found2") == Names{"vector[2]"});
  CHECK(carried(placement, "found3").empty());
  CHECK(stage_named(placement, "trie4").calls.empty());
}

TEST_CASE("a lane is a thread of every stage, with rings of one producer and one consumer") {
  std::vector<MappingOverride> four;
  for (const char* stage : {"fork", "trie0", "trie1", "trie2", "trie3", "trie4", "join"})
    four.push_back({std::string("stages.") + stage + ".threads", "4", without_lines("--set")});
  const Placement placement =
      place_shipped("abv-control", five_fields(), four, multiprocessor_facts()).placement;
  for (const char* name : {"ask0", "ask4", "found0", "found4"}) {
    const Queue& queue = queue_named(placement, name);
    REQUIRE(queue.instances.size() == 4);
    for (unsigned lane = 0; lane < 4; ++lane) {
      CHECK(queue.instances[lane].producers ==
            std::vector<ThreadPlace>{placement.stages[queue.from].threads[lane]});
      CHECK(queue.instances[lane].consumers ==
            std::vector<ThreadPlace>{placement.stages[queue.to].threads[lane]});
    }
  }
}

TEST_CASE("what would part a packet's entries from each other is refused") {
  using Catch::Contains;
  CHECK_THAT(errors_with("engines: [1], threads: 1", "engines: [1], threads: 2"),
             Contains("stage 'trie0' has 2 threads, but the fork in 'fork' has 1"));
  CHECK_THAT(
      errors_with("to: trie0, per: producer_thread, entries: 64, memory: sram}",
                  "to: trie0, per: producer_thread, entries: 64, memory: sram, full: drop}"),
      Contains("queue 'ask0' between fork and join drops parts of packets: write full: wait"));
  CHECK_THAT(errors_with("to: trie0, per: producer_thread, entries: 64, memory: sram}",
                         "to: trie0, per: producer_thread, entries: 64, memory: sram, quantum: 4}"),
             Contains("queue 'ask0' between fork and join gives entries back one by one"));
  CHECK_THAT(errors_with("inputs: each", "inputs: one"),
             Contains("after the fork in 'fork' needs `role: tasks`"));
  CHECK_THAT(
      errors_with("outputs: each", "outputs: one"),
      Contains("hands every packet to one queue") && Contains("joins what no stage has forked"));
  CHECK_THAT(errors_with("from: trie0, to: join", "from: trie0, to: transmit"),
             Contains("stage 'transmit' after the fork"));
  CHECK_THAT(errors_with("\"lookup[1..1]\"", "\"lookup[..1]\""),
             Contains("vector[0] is written in two branches"));
  CHECK_THAT(errors_with("\"lookup[1..1]\"", "aggregate"),
             Contains("task 'aggregate'") && Contains("before it is written"));
  CHECK_THAT(errors_with("inputs: each", "inputs: both"),
             Contains("'both' is not one of one, each"));
}
