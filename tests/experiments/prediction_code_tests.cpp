// Demands from compiled programs: blocks, aligned lines, executions that agree, and the programs of
// real mappings.
#include <catch2/catch.hpp>

#include "experiments/nplab.h"
#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prediction/code/balanced_flow.h"
#include "experiments/prediction/code/code_prices.h"
#include "experiments/prediction/code/hand_overs.h"
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

// A word of task t of the first stage.
WordPlace place(const std::string& line) {
  return {0, {PartKind::kTask, 0}, "task t", line};
}

// A profile in which task t has this line.
CodeProfile profile_with(const std::string& line, const std::vector<ProfiledWord>& words) {
  return {{"task t", {PartCode{"stage s", 0, {{line, words}}}}}};
}

}  // namespace

TEST_CASE("a block ends at a branch and before a branch's target", "[prediction]") {
  // 0: next; 1: branch to 3 or next; 2: next; 3: branch to 0.
  const std::vector<isa::Successors> flow{{}, {true, 3, false, {}}, {}, {false, 0, false, {}}};
  const ProgramBlocks blocks = program_blocks(flow);
  CHECK(blocks.count == 3);
  CHECK(blocks.block_of == std::vector<std::size_t>{0, 0, 1, 2});
  CHECK(blocks.edges == std::vector<BlockEdge>{{0, 1}, {0, 2}, {1, 2}, {2, 0}});
}

TEST_CASE("a computed jump leads to each of its targets", "[prediction]") {
  // 0: next; 1: computed, to 2 or 3; 2: branch to 0; 3: branch to 0.
  const std::vector<isa::Successors> flow{
      {}, {false, {}, true, {2, 3}}, {false, 0, false, {}}, {false, 0, false, {}}};
  const ProgramBlocks blocks = program_blocks(flow);
  CHECK(blocks.block_of == std::vector<std::size_t>{0, 0, 1, 2});
  CHECK(blocks.edges == std::vector<BlockEdge>{{0, 1}, {0, 2}, {1, 0}, {2, 0}});
}

TEST_CASE("an entry is handed over at its mark, whatever the word there is part of",
          "[prediction]") {
  const auto image = assembled("nop\n.queue_entry_put a0, 3\nnop\n.queue_entry_taken a0, 2\nnop\n");
  const auto operations = hand_overs(image);
  REQUIRE(operations.size() == 3);
  CHECK(operations[0].empty());
  CHECK(operations[1] == std::vector<CodePart>{{PartKind::kPut, 3}});
  CHECK(operations[2] == std::vector<CodePart>{{PartKind::kGet, 2}});
}

TEST_CASE("copies of a piece of code share its executions", "[prediction]") {
  // Block 0 leads to the copies 1 and 2, both lead to 3: each copy looks as often executed as the
  // one piece that the profile had.
  const std::vector<BlockEstimate> estimates{{1, 9}, {1, 5}, {1, 5}, {1, 9}};
  const auto times = balanced_flow(estimates, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  CHECK(times[0] == 1);
  CHECK(times[1] + times[2] == Approx(1));
  CHECK(times[3] == 1);
}

TEST_CASE("a block of which nothing is known has what comes to it", "[prediction]") {
  CHECK(balanced_flow({{2, 9}, {}, {2, 9}}, {{0, 1}, {1, 2}})[1] == Approx(2));
}

TEST_CASE("of two ways the one that fewer words contradict is executed", "[prediction]") {
  // Block 0 leads by 1, or by 2 and 3, to 4. Nothing is known of 3; 1 is said to be unused.
  const std::vector<BlockEdge> edges{{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}};
  const auto times = balanced_flow({{1, 9}, {0, 4}, {}, {}, {1, 9}}, edges);
  CHECK(times == std::vector<double>{1, 0, 1, 1, 1});
}

TEST_CASE("a loop has the executions that are known of one of its blocks", "[prediction]") {
  // 0, then 1 and 2 in a loop, then 3.
  const std::vector<BlockEdge> edges{{0, 1}, {1, 2}, {2, 1}, {2, 3}};
  const auto times = balanced_flow({{1, 9}, {}, {4, 5}, {1, 9}}, edges);
  CHECK(times == std::vector<double>{1, 4, 4, 1});
}

TEST_CASE("what was measured stays, and an estimate between gives way", "[prediction]") {
  const std::vector<BlockEdge> edges{{0, 1}, {1, 2}};
  CHECK(balanced_flow({{1, 9, true}, {3, 40}, {1, 9, true}}, edges) ==
        std::vector<double>{1, 1, 1});
  // Even where measurements contradict one another.
  CHECK(balanced_flow({{1, 9, true}, {3, 40}, {2, 20, true}}, edges) ==
        std::vector<double>{1, 2, 2});
}

TEST_CASE("words of a line are aligned with the profile's by their operations", "[prediction]") {
  const auto image = assembled(
      "alu[a0, a1, +, b0]\nalu[a0, a1, -, b0]\nl#:\nbr=0[l#]\nsram[read, $0, a0, 0, 1]\n");
  const auto instructions = instructions_in(image);
  REQUIRE(instructions.size() == 4);
  const CodeProfile profile =
      profile_with("x", {{instructions[0]->operation, AbortClass::kNone, 1, 0, 0},
                         {instructions[2]->operation, AbortClass::kCondition, 1, 0.5, 0},
                         {instructions[3]->operation, AbortClass::kSwap, 0.25, 1, 20}});
  const auto experiment = prepared("hicuts-pipe");
  const auto matched = matched_words(profile, experiment.placement(),
                                     {place("x"), place("x"), place("x"), place("x")}, instructions)
                           .words;
  const auto& words = profile.at("task t").front().lines.at("x");
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
  const auto instructions = instructions_in(image);
  const Operation add = instructions[0]->operation, read = instructions[1]->operation;
  const std::vector<WordPlace> places{place("x"), place("x")};
  const auto experiment = prepared("hicuts-pipe");
  const auto is_same = [&](const std::string& line, const std::vector<ProfiledWord>& words) {
    const auto profile = profile_with(line, words);
    return matched_words(profile, experiment.placement(), places, instructions)
        .words[0]
        .is_same_line;
  };
  CHECK(is_same("x", {{add, AbortClass::kNone}, {read, AbortClass::kNone}}));
  CHECK_FALSE(is_same("x", {{add, AbortClass::kNone}, {read, AbortClass::kSwap}}));
  CHECK_FALSE(is_same("x", {{read, AbortClass::kNone}, {add, AbortClass::kNone}}));
  CHECK_FALSE(is_same("x", {{add, AbortClass::kNone}}));
  CHECK_FALSE(is_same("y", {{add, AbortClass::kNone}, {read, AbortClass::kNone}}));
}

TEST_CASE("of copies that are executed differently, which is which is not known in other code",
          "[prediction]") {
  const auto image =
      assembled("alu[a0, a1, +, b0]\nalu[a0, a1, +, b0]\nsram[read, $0, a0, 0, 1]\n");
  const auto instructions = instructions_in(image);
  const Operation add = instructions[0]->operation, read = instructions[2]->operation;
  const auto experiment = prepared("hicuts-pipe");
  const auto is_same = [&](double second, const Operation other) {
    const CodeProfile profile{
        {"task t",
         {PartCode{"stage s",
                   0,
                   {{"x", {{add, AbortClass::kNone, 1}, {add, AbortClass::kNone, second}}},
                    {"y", {{other, AbortClass::kNone, 1}}}}}}}};
    const std::vector<WordPlace> places{place("x"), place("x"), place("y")};
    return matched_words(profile, experiment.placement(), places, instructions)
        .words[0]
        .is_same_line;
  };
  CHECK(is_same(0, read));
  CHECK(is_same(1, add));
  CHECK_FALSE(is_same(0, add));
}

TEST_CASE("a part is like that of the same stage, else like the one with the same words",
          "[prediction]") {
  const auto image = assembled("alu[a0, a1, +, b0]\nsram[read, $0, a0, 0, 1]\n");
  const auto instructions = instructions_in(image);
  const std::vector<WordPlace> places{place("x"), place("x")};
  const auto experiment = prepared("hicuts-pipe");
  const ProfiledWord add{instructions[0]->operation}, read{instructions[1]->operation};
  const auto chosen = [&](const std::string& first, const std::string& second) {
    const CodeProfile profile{
        {"task t",
         {PartCode{first, 0, {{"x", {read, add}}}}, PartCode{second, 0, {{"x", {add, read}}}}}}};
    const auto matched = matched_words(profile, experiment.placement(), places, instructions);
    return matched.parts.at({0, "task t"})->stage;
  };
  CHECK(chosen("stage one", "stage two") == "stage two");
  const std::string own = part_of_stage(experiment.placement(), 0);
  CHECK(chosen(own, "stage two") == own);
}

TEST_CASE("words are executed as the profile's, and a branch aborts as those of its class",
          "[prediction]") {
  // A loop of two words that the profile has 4 times for a packet, a branch that is new, and an
  // end.
  const auto image = assembled(
      "l#:\nalu[a0, a1, +, b0]\nbr=0[l#]\nalu[a0, a1, -, b0]\nbr!=0[l#]\nctx_arb[kill]\n");
  const auto instructions = instructions_in(image);
  CodeProfile profile =
      profile_with("loop", {{instructions[0]->operation, AbortClass::kNone, 4, 0, 0},
                            {instructions[1]->operation, AbortClass::kCondition, 4, 1.5, 0}});
  profile["task t"].front().lines["end"] = {
      {instructions[4]->operation, instructions[4]->aborts, 1, 0, 0}};
  const auto experiment = prepared("hicuts-pipe");
  const CodeWays ways(image, experiment.chip);
  const std::vector<WordPlace> places{place("loop"), place("loop"), place("new"), place("new"),
                                      place("end")};
  const std::vector<double> runs(5, 1);
  const auto matched = matched_words(profile, experiment.placement(), places, instructions);
  const auto frequencies = word_frequencies({profile, image, ways, places, runs, matched});
  CHECK(frequencies[0].executed == 4);
  CHECK(frequencies[1].executed == 4);
  CHECK(frequencies[1].aborted == 1.5);
  CHECK(frequencies[2].executed == 1);
  CHECK(frequencies[3].executed == 1);
  CHECK(frequencies[2].aborted == 0);
  CHECK(frequencies[3].aborted == 1.5);
}

TEST_CASE("a stage's own program that the profile measured keeps its demands", "[prediction]") {
  const auto experiment = prepared("hicuts-pipe");
  const auto profile = profile_of(experiment);
  CHECK(profile.own_programs.size() == experiment.placement().stages.size());
  CHECK(profile_to_json(priced(profile, experiment)) == profile_to_json(profile));
}

TEST_CASE("a placement that is priced again has the demands of the first time", "[prediction]") {
  const auto profile = profile_of(prepared("hicuts-pipe"));
  const auto experiment = prepared("hicuts-data");
  CodePricer pricer(profile);
  Diagnostics diagnostics;
  const auto first = pricer.price(experiment, diagnostics);
  const auto again = pricer.price(experiment, diagnostics);
  REQUIRE(first);
  REQUIRE(again);
  CHECK(profile_to_json(*first) == profile_to_json(*again));
  CHECK(profile_to_json(*first) != profile_to_json(profile));
}

TEST_CASE("the profiled mapping's own programs have the demands that were measured",
          "[prediction]") {
  const auto experiment = prepared("hicuts-pipe");
  auto profile = profile_of(experiment);
  profile.own_programs.clear();  // as if each were another program
  const auto from_code = priced(profile, experiment);
  for (std::size_t stage = 0; stage < experiment.placement().stages.size(); ++stage) {
    const std::string name = part_of_stage(experiment.placement(), stage);
    INFO(name);
    const Demand& measured = profile.parts.at(name);
    const Demand& code = from_code.parts.at(name);
    CHECK(code.cycles == Approx(measured.cycles).epsilon(0.02));
    CHECK(code.dispatches == Approx(measured.dispatches).epsilon(0.02));
    CHECK(code.delay == Approx(measured.delay).epsilon(0.02));
    for (const std::size_t unit : {kSram, kSdram, kScratch})
      CHECK(code.units[unit].references == Approx(measured.units[unit].references).margin(0.02));
  }
}

TEST_CASE("code of a queue that the profile does not have is executed once for an entry",
          "[prediction]") {
  const auto experiment = prepared("hicuts-pipe");
  auto profile = profile_of(experiment);
  const auto measured = profile;
  profile.own_programs.clear();
  std::erase_if(profile.code, [](const auto& part) {
    return part.first.starts_with("put ") || part.first.starts_with("get ");
  });
  const auto from_code = priced(profile, experiment);
  for (std::size_t stage = 0; stage < experiment.placement().stages.size(); ++stage) {
    const std::string name = part_of_stage(experiment.placement(), stage);
    INFO(name);
    CHECK(from_code.parts.at(name).units[kSram].references ==
          Approx(measured.parts.at(name).units[kSram].references).margin(0.25));
  }
}

TEST_CASE("a profile that is kept is read as it was written", "[prediction]") {
  const auto profile = profile_of(prepared("hicuts-pipe"));
  const auto read = profile_from_json(profile_to_json(profile));
  REQUIRE(read);
  CHECK(profile_to_json(*read) == profile_to_json(profile));
  CHECK(read->own_programs == profile.own_programs);
}
