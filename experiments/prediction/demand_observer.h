// Watches a run cycle by cycle and adds up what each part of each stage demanded.
//
// How often a thread looks for work, for room or for a lock depends on the load, and so on the
// placement. Such a wait is kept apart as a *visit*: from the first word of waiting code, or of a
// put, to the next word of other code. A visit consists of tries; only the last one succeeds, and
// is what every packet needs. The others are looks in vain.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/demand.h"
#include "experiments/record/word_use.h"
#include "simulator/observe/run_observer.h"

namespace nplab::experiments {

struct StagePart {
  std::size_t stage = 0;
  CodePart part;
  friend auto operator<=>(const StagePart&, const StagePart&) = default;
};

// Sums over a run.
struct PartDemands {
  Demand needed;          // without tries in vain
  double hand_overs = 0;  // entries that a put or get has put or taken
  Demand vain;            // tries in vain, pauses left out
  double vain_tries = 0;
};

// Of one word, in what packets needed: a sum over the run.
struct WordCount {
  double executed = 0;
  double aborted = 0;  // slots that it aborted
  double waits = 0;    // for references
};

class DemandObserver final : public simulator::RunObserver {
 public:
  // `parts`: of each program. They and the experiment outlive the observer.
  DemandObserver(const Experiment& experiment, const std::vector<CompiledProgram>& programs,
                 const std::vector<CodeParts>& parts);

  void slot(const simulator::EngineSlot& slot) override;
  void context_changed(const simulator::ContextChange& change) override;
  void reference(const simulator::TracedReference& reference) override;

  [[nodiscard]] std::map<StagePart, PartDemands> demands() const;
  // By word, of the threads of a stage on an engine.
  [[nodiscard]] const std::vector<WordCount>& words_needed(unsigned engine,
                                                           std::size_t stage) const;
  // The cycles of a wait at a word that nothing delayed.
  [[nodiscard]] double free_wait(unsigned engine, std::uint32_t word) const {
    return free_wait(word_of(engine, word));
  }
  // Of two SDRAM references that are served one after the other, how many are to the same bank.
  [[nodiscard]] double same_bank_share() const;

 private:
  using Word = std::uint32_t;  // of the chip: the engine in the upper half
  static Word word_of(unsigned engine, std::uint32_t word) { return engine << 16 | word; }

  // Counts of a piece of execution, before references and waits are given their cycles.
  struct Tally {
    std::vector<std::pair<std::uint32_t, double WordCount::*>> words;  // of a try, in their order
    double cycles = 0, aborted = 0, dispatches = 0, burst_squares = 0;
    std::vector<std::pair<Word, double>> references;
    std::vector<std::pair<Word, double>> joined;  // of the references
    std::vector<std::pair<Word, double>> waits;
    void add(const Tally& other);
  };
  struct Sums {
    Tally needed, vain;
    double hand_overs = 0, vain_tries = 0;
  };
  struct Reference {
    std::size_t unit = 0;
    double count = 0;
    UnitDemand sum;
    bool locks = false;  // waits for others: its free latency is the chip's
  };
  struct Thread {
    std::size_t stage = 0;
    bool runs = false;
    CodePart part;
    Sums* sums = nullptr;  // of the part
    std::vector<WordCount>* words = nullptr;
    bool visits = false;
    bool puts = false;  // the visit is a put
    CodePart visit_part;
    std::optional<std::uint32_t> look;  // first reference of the visit, where each try begins
    Tally before_look, current;         // of a try: before its first reference, and from there
    std::vector<std::uint32_t> tried;   // words of the current try
    bool counts = true;                 // the word in P3 is new in its try
    double burst = 0;                   // cycles since it was dispatched
    double spin = 0;                    // of these, of rounds at a turn or a lock
    std::array<bool, kUnits> refers{};  // since its last wait, to the unit
    bool waits = false;
    Word wait_word = 0;
    simulator::Cycle wait_from;
  };

  Thread& thread(simulator::ThreadId id) {
    return threads_.at(id.engine.index()).at(id.context.index());
  }
  Sums& sums_of(std::size_t stage, CodePart part) { return sums_[{stage, part}]; }
  void enter(Thread& thread, unsigned engine, std::uint32_t word);
  void begin_visit(Thread& thread, bool puts);
  void end_visit(Thread& thread);
  void end_try(Thread& thread);
  Tally& tally(Thread& thread);
  // At once, or with the try when it succeeds.
  void count(Thread& thread, std::uint32_t word, double WordCount::* what);
  static void count_try(const Tally& of, Thread& thread);
  [[nodiscard]] bool is_same_look(unsigned engine, std::uint32_t look, std::uint32_t word) const;
  [[nodiscard]] Demand demand_of(const Tally& tally) const;
  // The cycles of a wait that nothing delayed.
  [[nodiscard]] double free_wait(Word word) const;

  const Experiment& experiment_;
  std::vector<const CodeParts*> parts_;                         // by engine
  std::vector<std::vector<WordUse>> uses_;                      // by engine
  std::vector<std::vector<std::vector<CodePart>>> hand_overs_;  // by engine and word
  std::vector<std::vector<std::optional<std::size_t>>> units_;  // by engine, of references
  std::vector<std::vector<isa::SourceLine>> lines_;             // by engine and word
  std::vector<std::vector<Thread>> threads_;                    // by engine
  std::map<StagePart, Sums> sums_;
  std::map<std::pair<unsigned, std::size_t>, std::vector<WordCount>> words_;  // by engine, stage
  std::map<Word, Reference> references_;
  std::map<Word, std::vector<std::uint32_t>> wait_cycles_;
  mutable std::map<Word, double> free_waits_;
  double sdram_references_ = 0, same_bank_ = 0;
  std::optional<std::uint32_t> last_bank_;
};

}  // namespace nplab::experiments
