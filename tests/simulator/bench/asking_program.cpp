#include "tests/simulator/bench/asking_program.h"

#include <memory>
#include <random>

#include <catch2/catch.hpp>

#include "tests/simulator/bench/words.h"

namespace nplab::test {
namespace {

using namespace simulator;

class Asker {
 public:
  Asker(std::uint64_t seed, unsigned engine) : random_(seed), engine_(engine) {}

  isa::ProgramImage program() {
    for (unsigned context = 1; context < kContexts; ++context)
      words_.push_back(nop());
    for (unsigned context = 0; context < kContexts; ++context) {
      if (context > 0)
        words_[context - 1] = br_context(context, here());
      section(context);
    }
    return test::program(words_);
  }

 private:
  static constexpr unsigned kContexts = 4;

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  [[nodiscard]] unsigned here() const { return static_cast<unsigned>(words_.size()); }
  void add(Word word) { words_.push_back(word); }
  void pause() {
    for (unsigned i = below(12); i > 0; --i)
      add(nop());
  }

  void section(unsigned context) {
    const unsigned mailbox = 32 * (engine_ * kContexts + context);
    add(immed(a(0), kAskedMailboxes >> 16, 2));
    add(immed(b(0), mailbox));
    add(alu(a(0), a(0), Alu::kAdd, b(0)));
    add(immed(b(0), 28));
    add(alu(a(1), a(0), Alu::kAdd, b(0)));
    const unsigned first = here();
    for (unsigned i = 0; i < 8; ++i)
      ask();
    add(br(If::kAlways, first));
  }

  void ask() {
    add(immed(sram_transfer(0), below(kAskedRules + 10)));
    // The key, and what lies after it as the packet's length.
    add(reference({.unit = ReferenceUnit::kSram,
                   .command = 1,
                   .transfer = sram_transfer(0),
                   .x = a(0),
                   .count = 2}));
    pause();
    if (below(2) == 0)
      shared();
    if (below(3) == 0) {
      // The answer, and what is asked for after it, which comes after it.
      add(reference({.unit = ReferenceUnit::kSram,
                     .command = 0,
                     .transfer = sram_transfer(1),
                     .x = a(1),
                     .completion = Completion::kSilent}));
      shared();
    } else {
      refer(0, a(1), 1);
    }
    add(move(b(1), sram_transfer(1)));
    add(alu(a(2), a(2), Alu::kAdd, b(1)));
    pause();
  }
  void refer(unsigned command, Code address, unsigned transfer) {
    add(reference({.unit = ReferenceUnit::kSram,
                   .command = command,
                   .transfer = sram_transfer(transfer),
                   .x = address}));
  }
  // Adds what is in a longword of all threads.
  void shared() {
    const unsigned address = 4 * below(8);
    add(immed(a(3), address));
    refer(0, a(3), 2);
    add(move(b(1), sram_transfer(2)));
    add(alu(sram_transfer(2), a(2), Alu::kAdd, b(1)));
    refer(1, a(3), 2);
  }

  std::mt19937_64 random_;
  unsigned engine_;
  std::vector<Word> words_;
};

}  // namespace

isa::ProgramImage asking_program(std::uint64_t seed, unsigned engine) {
  return Asker(seed, engine).program();
}

void add_match_unit(std::uint64_t seed, SimulationInputs& inputs) {
  std::mt19937_64 random(seed + 5);
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  MatchUnitParameters& unit = inputs.chip.match.emplace();
  unit.base = kAskedMailboxes;
  unit.clock_hz = between(0, 3) == 0 ? 300'000'000 : 1'000'003ull * between(20, 900);
  unit.request_latency = between(1, 6);
  unit.answer_latency = between(1, 6);
  unit.request_queue = between(1, 4);
  unit.sessions = between(1, 6);
  unit.hash_latency = between(1, 6);
  unit.load_queue = between(1, 4);
  unit.store_queue = between(1, 4);
  unit.stale_reads = static_cast<match::StaleReads>(between(0, 1));
  unit.state = static_cast<match::StateIn>(between(0, 1));
  unit.cache_lines = between(0, 2) == 0 ? 0 : 4u << between(0, 3);
  unit.channels = 1u << between(0, 1);
  unit.slot_bits = 12;
  isa::match::LookupProgram program;
  program.tuples.push_back({{~0u, ~0u, ~0u, ~0u, ~0u, ~0u}, 1});
  program.tables.push_back({{1}, 0});
  isa::match::TableImage tables({1u << unit.slot_bits, 0}, isa::match::Collisions::kRefuse);
  for (std::uint32_t rule = 0; rule < kAskedRules; ++rule) {
    isa::match::Entry entry;
    entry.key = {rule, 0, 0, 0, 0, 0};
    entry.tuple = 1;
    entry.action = rule;
    entry.priority = 1;
    REQUIRE(tables.insert(entry) == isa::match::Placed::kPlaced);
  }
  inputs.match = std::make_shared<const match::MatchContents>(
      match::MatchContents{program, std::move(tables), {{0, 32}}});
}

}  // namespace nplab::test
