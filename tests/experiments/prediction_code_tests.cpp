// Demands from compiled programs: blocks, aligned lines, executions that agree, and the programs of
// real mappings.
#include <catch2/catch.hpp>

#include "experiments/nplab.h"
#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prediction/code/balanced_flow.h"
#include "experiments/prediction/code/code_prices.h"
#include "experiments/prediction/code/matched_words.h"
#include "experiments/prediction/code/program_blocks.h"
#include "experiments/prediction/code/word_frequencies.h"
#include "experiments/prediction/part_names.h"
#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"

using namespace nplab;
using namespace nplab::experiments;
using isa::AbortClass;
using isa::Operation;

namespace {

Experiment prepared(const std::string& mapping) {
  Diagnostics diagnostics;
  auto experiment = prepare_experiment(mapping, {}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(experiment);
  return std::move(*experiment);
}

AlgorithmProfile profile_of(const Experiment& experiment) {
  Diagnostics diagnostics;
  auto profile = measure_profile(experiment, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(profile);
  return std::move(*profile);
}

AlgorithmProfile priced(const AlgorithmProfile& profile, const Experiment& experiment) {
  Diagnostics diagnostics;
  auto priced = price_code(profile, experiment, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(priced);
  return std::move(*priced);
}

isa::ProgramImage assembled(const std::string& text) {
  Diagnostics diagnostics;
  const auto object = isa::assemble(text, "test.s", diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(object);
  const auto image = isa::load_object(*object, "test.s", {}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return *image;
}

std::vector<std::optional<isa::Instruction>> instructions_of(const isa::ProgramImage& image) {
  std::vector<std::optional<isa::Instruction>> instructions;
  for (const std::uint64_t word : image.words)
    instructions.push_back(isa::decode(word));
  return instructions;
}

// A word of task t of the first stage.
WordPlace place(const std::string& line) {
  return {0, {PartKind::kTask, 0}, "task t", line};
}

// A profile in which task t has this line.
CodeProfile profile_with(const std::string& line, const std::vector<ProfiledWord>& words) {
  CodeProfile profile;
  profile["task t"].lines[line] = words;
  return profile;
}

}  // namespace

TEST_CASE("a block ends at a branch and before a branch's target", "[prediction]") {
  // 0: next; 1: branch to 3 or next; 2: next; 3: branch to 0.
  const std::vector<isa::Successors> flow{{}, {true, 3}, {}, {false, 0}};
  const ProgramBlocks blocks = program_blocks(flow);
  CHECK(blocks.count == 3);
  CHECK(blocks.block_of == std::vector<std::size_t>{0, 0, 1, 2});
  CHECK(blocks.edges == std::vector<BlockEdge>{{0, 1}, {0, 2}, {1, 2}, {2, 0}});
}

TEST_CASE("copies of a piece of code share its executions", "[prediction]") {
  // Block 0 leads to the copies 1 and 2, both lead to 3: each copy looks as often executed as the
  // one piece that the profile had.
  const std::vector<BlockEstimate> estimates{{1, 100}, {1, 5}, {1, 5}, {1, 100}};
  const auto times = balanced_flow(estimates, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  CHECK(times[0] == Approx(1).margin(0.1));
  CHECK(times[1] == Approx(0.5).margin(0.1));
  CHECK(times[2] == Approx(times[1]).epsilon(1e-5));
  CHECK(times[3] == Approx(1).margin(0.1));
}

TEST_CASE("a block of which nothing is known has what comes to it", "[prediction]") {
  const std::vector<BlockEstimate> estimates{{2, 100}, {}, {2, 100}};
  CHECK(balanced_flow(estimates, {{0, 1}, {1, 2}})[1] == Approx(2).epsilon(1e-3));
}

TEST_CASE("what was measured stays, and moves the others no further than an estimate does",
          "[prediction]") {
  const std::vector<BlockEdge> edges{{0, 1}, {1, 2}};
  const auto times = balanced_flow({{1, 40, true}, {3, 40}, {1, 40, true}}, edges);
  const auto estimated = balanced_flow({{1, 40}, {3, 40}, {1, 40}}, edges);
  CHECK(times[0] == 1);
  CHECK(estimated[0] > 1.1);
  CHECK(times[1] == estimated[1]);
  CHECK(times[2] == 1);
}

TEST_CASE("words of a line are aligned with the profile's by their operations", "[prediction]") {
  const auto image = assembled(
      "alu[a0, a1, +, b0]\nalu[a0, a1, -, b0]\nl#:\nbr=0[l#]\nsram[read, $0, a0, 0, 1]\n");
  const auto instructions = instructions_of(image);
  REQUIRE(instructions.size() == 4);
  const CodeProfile profile =
      profile_with("x", {{instructions[0]->operation, AbortClass::kNone, 1, 0, 0},
                         {instructions[2]->operation, AbortClass::kCondition, 1, 0.5, 0},
                         {instructions[3]->operation, AbortClass::kSwap, 0.25, 1, 20}});
  const auto matched =
      matched_words(profile, {place("x"), place("x"), place("x"), place("x")}, instructions);
  const auto& words = profile.at("task t").lines.at("x");
  CHECK(matched[0].like == &words[0]);
  CHECK(matched[1].like == nullptr);
  CHECK(matched[2].like == &words[1]);
  CHECK(matched[3].like == &words[2]);
  for (const MatchedWord& word : matched) {
    CHECK(word.mean == 0.75);
    CHECK_FALSE(word.is_same_line);
  }
}

TEST_CASE("a line is the same only with the same words, yielding alike", "[prediction]") {
  const auto image = assembled("alu[a0, a1, +, b0]\nsram[read, $0, a0, 0, 1]\n");
  const auto instructions = instructions_of(image);
  const Operation add = instructions[0]->operation, read = instructions[1]->operation;
  const std::vector<WordPlace> places{place("x"), place("x")};
  const auto is_same = [&](const std::string& line, const std::vector<ProfiledWord>& words) {
    return matched_words(profile_with(line, words), places, instructions)[0].is_same_line;
  };
  CHECK(is_same("x", {{add, AbortClass::kNone}, {read, AbortClass::kNone}}));
  CHECK_FALSE(is_same("x", {{add, AbortClass::kNone}, {read, AbortClass::kSwap}}));
  CHECK_FALSE(is_same("x", {{read, AbortClass::kNone}, {add, AbortClass::kNone}}));
  CHECK_FALSE(is_same("x", {{add, AbortClass::kNone}}));
  CHECK_FALSE(is_same("y", {{add, AbortClass::kNone}, {read, AbortClass::kNone}}));
}

TEST_CASE("words are executed as the profile's, and a branch aborts as those of its class",
          "[prediction]") {
  // A loop of two words that the profile has 4 times for a packet, and a branch that is new.
  const auto image = assembled(
      "l#:\nalu[a0, a1, +, b0]\nbr=0[l#]\nalu[a0, a1, -, b0]\nbr!=0[l#]\nctx_arb[kill]\n");
  const auto instructions = instructions_of(image);
  CodeProfile profile =
      profile_with("loop", {{instructions[0]->operation, AbortClass::kNone, 4, 0, 0},
                            {instructions[1]->operation, AbortClass::kCondition, 4, 1.5, 0}});
  const auto experiment = prepared("hicuts-pipe");
  const CodeWays ways(image, experiment.chip);
  const std::vector<WordPlace> places{place("loop"), place("loop"), place("new"), place("new"),
                                      WordPlace{}};
  const std::vector<double> runs(5, 1);
  const auto frequencies = word_frequencies({profile, image, ways, places, runs});
  CHECK(frequencies[0].executed == 4);
  CHECK(frequencies[1].executed == 4);
  CHECK(frequencies[1].aborted == 1.5);
  CHECK(frequencies[2].executed > 0);
  CHECK(frequencies[2].executed == frequencies[3].executed);
  CHECK(frequencies[2].aborted == 0);
  CHECK(frequencies[3].aborted == 1.5);
}

TEST_CASE("a stage's own program that the profile measured keeps its demands", "[prediction]") {
  const auto experiment = prepared("hicuts-pipe");
  const auto profile = profile_of(experiment);
  CHECK(profile.own_programs.size() == experiment.placement().stages.size());
  CHECK(profile_to_json(priced(profile, experiment)) == profile_to_json(profile));
}

TEST_CASE("a profile that is kept is read as it was written", "[prediction]") {
  const auto profile = profile_of(prepared("hicuts-pipe"));
  const auto read = profile_from_json(profile_to_json(profile));
  REQUIRE(read);
  CHECK(profile_to_json(*read) == profile_to_json(profile));
  CHECK(read->own_programs == profile.own_programs);
}
