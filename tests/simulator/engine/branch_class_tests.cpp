// What every branch costs, taken and not, with every defer count, with and without guess_branch,
// behind the instruction that sets its codes and apart from it. The chip's figures all differ, so
// that no class can pass for another.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using isa::AbortClass;
using simulator::Cycle;
using simulator::PipelineDescription;

// A branch without target, defer and guess.
struct Branch {
  std::string name;
  Word word = 0;
  AbortClass abort_class{};
  Word setter = 0;  // executes before it
  bool taken = false;
  bool can_guess = true;
  bool signalled = false;  // inter_thread has come
  bool input_state = false;
};

// Condition codes: zero, positive, negative, carry (a1 is 0xffffffff).
Word codes(char which) {
  switch (which) {
    case 'Z': return move(none, value(0));
    case 'P': return move(none, value(1));
    case 'N': return alu(none, none, Alu::kNotB, value(0));
    default: return alu(none, a(1), Alu::kAdd, value(1));
  }
}

void add_conditions(std::vector<Branch>& all) {
  struct Condition {
    const char* name;
    If condition;
    char taken, not_taken;
  };
  for (const Condition& c :
       {Condition{"br=0", If::kEqual, 'Z', 'P'}, Condition{"br!=0", If::kNotEqual, 'P', 'Z'},
        Condition{"br>0", If::kGreater, 'P', 'N'}, Condition{"br>=0", If::kGreaterEqual, 'P', 'N'},
        Condition{"br<0", If::kLess, 'N', 'P'}, Condition{"br<=0", If::kLessEqual, 'N', 'P'},
        Condition{"br=cout", If::kCarry, 'C', 'P'},
        Condition{"br!=cout", If::kNoCarry, 'P', 'C'}}) {
    all.push_back({c.name, br(c.condition, 0), AbortClass::kCondition, codes(c.taken), true});
    all.push_back({c.name, br(c.condition, 0), AbortClass::kCondition, codes(c.not_taken), false});
  }
}

// a1 is 0xffffffff, a2 is 0.
std::vector<Branch> all_branches() {
  std::vector<Branch> all;
  all.push_back({"br", br(If::kAlways, 0), AbortClass::kUnconditional, codes('Z'), true, false});
  add_conditions(all);
  const auto with = [](unsigned operation, unsigned function, Code x) {
    return branch_word(operation, function, 0, 0, false) | field(x, 36);
  };
  const Word compare_255 = field(255, 28) | field(3, 26);
  for (const bool taken : {true, false}) {
    all.push_back({"br_bset", with(9, 0, taken ? a(1) : a(2)) | field(31, 53), AbortClass::kTest,
                   codes('Z'), taken});
    all.push_back({"br_bclr", with(9, 1, taken ? a(2) : a(1)) | field(31, 53), AbortClass::kTest,
                   codes('Z'), taken});
    all.push_back({"br=byte", with(10, 0, taken ? a(1) : a(2)) | compare_255, AbortClass::kTest,
                   codes('Z'), taken});
    all.push_back({"br!=byte", with(10, 1, taken ? a(2) : a(1)) | compare_255, AbortClass::kTest,
                   codes('Z'), taken});
    const unsigned context = taken ? 0 : 1;
    all.push_back({"br=ctx", branch_word(11, 0, 0, 0, false) | field(context, 53),
                   AbortClass::kState, codes('Z'), taken});
    all.push_back({"br!=ctx", branch_word(11, 1, 0, 0, false) | field(1 - context, 53),
                   AbortClass::kState, codes('Z'), taken});
    all.push_back({"br_inp_state", br_inp_state(0, 0), AbortClass::kState, codes('Z'), taken, true,
                   false, taken});
    all.push_back(
        {"br_!signal", br_not_signal(4, 0), AbortClass::kState, codes('Z'), taken, true, !taken});
  }
  // To word 0 + a3, and to the address in a3, which run() sets.
  all.push_back({"jump", with(14, 0, a(3)), AbortClass::kTest, codes('Z'), true, false});
  all.push_back({"rtn", with(14, 1, a(3)), AbortClass::kTest, codes('Z'), true, false});
  return all;
}

struct Shape {
  unsigned defer = 0;
  Fetch fetch = Fetch::kFallThrough;
  bool after_setter = false;
};

// From the chip's figures, by the rules of docs/chip.md.
unsigned expected_aborts(const PipelineDescription& pipeline, const Branch& branch,
                         const Shape& shape) {
  unsigned aborts = 0;
  switch (branch.abort_class) {
    case AbortClass::kUnconditional: aborts = pipeline.unconditional_aborts; break;
    case AbortClass::kCondition:
      aborts =
          shape.after_setter ? pipeline.condition_aborts_after_setter : pipeline.condition_aborts;
      break;
    case AbortClass::kState: aborts = pipeline.state_aborts; break;
    default: aborts = pipeline.test_aborts; break;
  }
  if (shape.fetch == Fetch::kTarget) {
    if (branch.taken)
      aborts = std::min(aborts, pipeline.unconditional_aborts);
  } else if (!branch.taken) {
    aborts = 0;
  }
  return aborts > shape.defer ? aborts - shape.defer : 0;
}

struct Outcome {
  std::uint64_t aborted = 0;            // charged to the branch
  std::uint64_t elsewhere = 0;          // to other words than the branch and the kill
  std::vector<std::uint64_t> executed;  // each word behind the branch, up to the target
  std::uint64_t cycles = 0;             // of the run, but for start and the kill's shadow
};

constexpr unsigned kBehind = 12;  // words between the branch and its target

Outcome run(const simulator::ChipDescription& chip, const Branch& branch, const Shape& shape) {
  std::vector<Word> words{immed(a(1), 0xffff, 4), immed(a(3), 0), branch.setter};
  if (!shape.after_setter)
    words.push_back(nop());
  const auto at = static_cast<unsigned>(words.size());
  const unsigned target = at + 1 + kBehind;
  words[1] = immed(a(3), target);
  const bool by_register = branch.word >> 58 == 14;
  words.push_back(branch.word | field(shape.fetch == Fetch::kTarget ? 1 : 0, 18) |
                  field(shape.defer, 16) | (by_register ? 0 : target));
  for (unsigned i = 0; i < kBehind + 8; ++i)
    words.push_back(nop());
  words.push_back(kill());
  BenchChip bench(chip);
  bench.fbi.state = branch.input_state;
  bench.load(0, program(words));
  if (branch.signalled)
    bench.chip.engine(simulator::EngineId(0))
        .signal(simulator::ThreadId(0), isa::Event::kInterThread, Cycle(0));
  bench.run();
  const auto counters = bench.counters();
  Outcome outcome;
  outcome.aborted = counters.words[at].aborted;
  outcome.elsewhere = counters.aborted - outcome.aborted - chip.engine.pipeline.swap_aborts;
  for (unsigned i = 1; i <= kBehind; ++i)
    outcome.executed.push_back(counters.words[at + i].executing);
  outcome.cycles = bench.chip.now().number() - chip.engine.pipeline.start_cycles -
                   chip.engine.pipeline.swap_aborts;
  return outcome;
}

void check_every_shape(const simulator::ChipDescription& chip) {
  for (const Branch& branch : all_branches()) {
    for (unsigned defer = 0; defer <= isa::maximum_defer(branch.abort_class); ++defer) {
      for (const Fetch fetch : {Fetch::kFallThrough, Fetch::kTarget}) {
        if (fetch == Fetch::kTarget && !branch.can_guess)
          continue;
        for (const bool behind : {false, true}) {
          const Shape shape{defer, fetch, behind};
          INFO(branch.name << (branch.taken ? " taken" : " not taken") << ", defer " << defer);
          INFO((fetch == Fetch::kTarget ? "guess_branch" : "")
               << (behind ? ", after the setter" : ""));
          const Outcome outcome = run(chip, branch, shape);
          const unsigned aborts = expected_aborts(chip.engine.pipeline, branch, shape);
          CHECK(outcome.aborted == aborts);
          CHECK(outcome.elsewhere == 0);
          std::vector<std::uint64_t> executed;
          for (unsigned i = 0; i < kBehind; ++i)
            executed.push_back(!branch.taken || i < defer ? 1 : 0);
          CHECK(outcome.executed == executed);
          // Setters, the branch, what is behind it, eight words at the target, the kill.
          const unsigned passed = branch.taken ? defer : kBehind;
          CHECK(outcome.cycles == (behind ? 3u : 4u) + 1 + passed + aborts + 8 + 1);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every branch aborts what the shipped chip's figures say") {
  check_every_shape(chip_description("test"));
}

TEST_CASE("every branch aborts what its own class's figure says") {
  check_every_shape(chip_description(
      "test", {"engine.pipeline.unconditional_aborts=2", "engine.pipeline.condition_aborts=4",
               "engine.pipeline.condition_aborts_after_setter=7", "engine.pipeline.state_aborts=5",
               "engine.pipeline.test_aborts=6", "engine.pipeline.swap_aborts=3",
               "engine.pipeline.start_cycles=5"}));
}

TEST_CASE(
    "the figures of the shipped chip are those of the pipeline: 1, 2, 3 after the setter, 2, 3, "
    "1") {
  const PipelineDescription pipeline = chip_description("ixp1200").engine.pipeline;
  CHECK(pipeline.unconditional_aborts == 1);
  CHECK(pipeline.condition_aborts == 2);
  CHECK(pipeline.condition_aborts_after_setter == 3);
  CHECK(pipeline.state_aborts == 2);
  CHECK(pipeline.test_aborts == 3);
  CHECK(pipeline.swap_aborts == 1);
}

TEST_CASE(
    "a kill after a taken branch takes effect when it has reached P1 before the branch is "
    "decided") {
  // Of the words behind a branch that aborts n the last is in P0, the one before it in P1.
  struct Case {
    const char* name;
    std::vector<Word> before;
    Word branch = 0;
    unsigned aborts = 0;
  };
  const Word at_target = 8;
  for (const Case& c :
       {Case{"br", {}, br(If::kAlways, 0), 0},  // decided in P1: the word behind it is in P0
        Case{"br=0", {codes('Z'), nop()}, br(If::kEqual, 0), 2},
        Case{"br=0 after the setter", {codes('Z')}, br(If::kEqual, 0), 3},
        Case{"br=ctx", {}, br_context(0, 0), 2}, Case{"br_bclr", {}, br_bclr(a(0), 0, 0), 3}}) {
    for (unsigned distance = 1; distance <= 4; ++distance) {
      INFO(c.name << ", kill " << distance << " after it");
      std::vector<Word> words = c.before;
      const auto at = static_cast<unsigned>(words.size());
      words.push_back(c.branch | (at + at_target));
      while (words.size() < at + at_target)
        words.push_back(words.size() == at + distance ? kill() : nop());
      words.push_back(immed(b(1), 7));
      words.push_back(kill());
      BenchChip bench(chip_description("ixp1200"));
      bench.load(0, program(words));
      bench.run();
      CHECK((bench.reg(b(1)) == 0) == (distance < c.aborts));
    }
  }
}

TEST_CASE(
    "an instruction whose reference is stalled keeps its distance to the setter of the codes") {
  // The branch behind a stalled reference is not behind the setter before it: 2, not 3.
  BenchChip bench(
      chip_description("test", {"engine.command_fifo_entries=1", "sram.order_queue=1"}));
  const Reference silent{ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 8,
                         Completion::kSilent};
  std::vector<Word> words(4, reference(silent));
  words.push_back(codes('Z'));
  words.push_back(reference(silent));
  words.push_back(br(If::kEqual, 16));
  while (words.size() < 16)
    words.push_back(nop());
  words.push_back(kill());
  bench.load(0, program(words));
  bench.run();
  CHECK(bench.counters().words[5].stalled > 0);
  CHECK(bench.counters().words[6].aborted == 2);
}

}  // namespace nplab::test
