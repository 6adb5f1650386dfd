#include "experiments/prediction/look_path.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>

#include "experiments/prediction/unit_service.h"
#include "experiments/record/word_use.h"
#include "isa/control_flow.h"
#include "isa/instruction.h"
#include "simulator/engine/control_store.h"

namespace nplab::experiments {
namespace {

using Word = std::size_t;
constexpr double kUnreached = std::numeric_limits<double>::infinity();

bool is_memory_reference(const isa::Instruction& instruction) {
  return instruction.operation >= isa::Operation::kSramRead &&
         instruction.operation <= isa::Operation::kHash64;
}

// What one word costs whoever passes it.
struct WordStep {
  double taken_aborts = 0;  // of a branch that ends here, with its deferred words
  double swap_aborts = 0;
  bool swaps = false;  // the thread yields after it
  std::optional<isa::Instruction> reference;
};

class PutCode {
 public:
  PutCode(const CompiledProgram& program, const CodeParts& parts,
          const simulator::ChipDescription& chip)
      : image_(program.image),
        parts_(parts),
        chip_(chip),
        flow_(isa::control_flow(program.image)),
        uses_(word_uses(program.image)),
        steps_(program.image.words.size()),
        hands_over_(program.image.words.size(), false) {
    for (Word word = 0; word < steps_.size(); ++word) {
      if (const auto instruction = isa::decode(image_.words[word]))
        read(word, *instruction);
    }
    for (const isa::Annotation& annotation : image_.annotations) {
      if (annotation.kind == isa::Annotation::Kind::kQueueEntryPut ||
          annotation.kind == isa::Annotation::Kind::kQueueEntryTaken)
        hands_over_.at(annotation.pc) = true;
    }
  }

  std::map<std::size_t, Demand> looks() {
    std::map<std::size_t, Demand> looks;
    for (Word word = 0; word < steps_.size(); ++word) {
      if (!steps_[word].reference || uses_[word] == WordUse::kLockSpin)
        continue;
      const auto queue = queue_of(word);
      if (!queue || looks.contains(*queue))
        continue;
      const auto way = way_back_to(word);
      if (!way.empty())
        looks[*queue] = demand_of(way);
    }
    return looks;
  }

 private:
  void read(Word word, const isa::Instruction& instruction) {
    const double aborts = simulator::aborts_of(instruction.aborts, chip_.engine.pipeline);
    const Word end = std::min<Word>(word + instruction.defer, steps_.size() - 1);
    const double rest = std::max(0.0, aborts - instruction.defer);
    if (instruction.aborts == isa::AbortClass::kSwap) {
      steps_[end].swaps = true;
      steps_[end].swap_aborts = rest;
    } else {
      steps_[end].taken_aborts = rest;
    }
    if (is_memory_reference(instruction))
      steps_[word].reference = instruction;
  }

  // That a look there is for: code of a put, or a look of the library on the way to a put.
  [[nodiscard]] std::optional<std::size_t> queue_of(Word word) const {
    const CodePart part = parts_.part_of(word, 0, {});
    if (part.kind == PartKind::kPut)
      return part.index;
    if (uses_[word] != WordUse::kBlocked)
      return std::nullopt;
    const auto reached = ways_from(word);
    double nearest = kUnreached;
    std::optional<std::size_t> queue;
    for (Word other = 0; other < steps_.size(); ++other) {
      const CodePart of = hands_over_[other] ? parts_.part_of(other, 0, {}) : CodePart{};
      if (of.kind != PartKind::kPut || reached[other].cycles >= nearest)
        continue;
      nearest = reached[other].cycles;
      queue = of.index;
    }
    return queue;
  }

  struct Reached {
    double cycles = kUnreached;
    Word before = 0;
    bool by_branch = false;
  };

  // Shortest ways (Dijkstra), none beyond a word where an entry is handed over.
  [[nodiscard]] std::vector<Reached> ways_from(Word from) const {
    std::vector<Reached> reached(steps_.size());
    using Open = std::pair<double, Word>;
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    const auto reach = [&](Word to, double cycles, Word before, bool by_branch) {
      if (to >= reached.size() || cycles >= reached[to].cycles)
        return;
      reached[to] = {cycles, before, by_branch};
      open.emplace(cycles, to);
    };
    const auto leave = [&](Word word, double cycles) {
      const double passed = cycles + 1 + steps_[word].swap_aborts;
      if (flow_[word].next)
        reach(word + 1, passed, word, false);
      if (flow_[word].target)
        reach(*flow_[word].target, passed + steps_[word].taken_aborts, word, true);
    };
    leave(from, 0);
    while (!open.empty()) {
      const auto [cycles, word] = open.top();
      open.pop();
      if (cycles > reached[word].cycles || word == from || hands_over_[word])
        continue;
      leave(word, cycles);
    }
    return reached;
  }

  struct Passed {
    Word word = 0;
    double aborted = 0;  // after it
  };

  // From the word after the look to the look; empty: there is none without handing over.
  [[nodiscard]] std::vector<Passed> way_back_to(Word look) const {
    const auto reached = ways_from(look);
    std::vector<Passed> way;
    if (reached[look].cycles == kUnreached)
      return way;
    Word word = look;
    do {
      const Reached& of = reached[word];
      word = of.before;
      way.push_back(
          {word, steps_[word].swap_aborts + (of.by_branch ? steps_[word].taken_aborts : 0.0)});
    } while (word != look && way.size() <= steps_.size());
    std::reverse(way.begin(), way.end());
    return way;
  }

  [[nodiscard]] Demand demand_of(const std::vector<Passed>& way) const {
    Demand demand;
    double burst = 0, first_burst = -1;
    for (const Passed& passed : way) {
      const WordStep& step = steps_[passed.word];
      demand.cycles += 1 + passed.aborted;
      demand.aborted += passed.aborted;
      burst += 1 + passed.aborted;
      if (step.reference)
        add_reference(*step.reference, demand);
      if (!step.swaps)
        continue;
      demand.dispatches += 1;
      if (first_burst < 0)
        first_burst = burst;  // goes on from the end of the way
      else
        demand.burst_squares += burst * burst;
      burst = 0;
    }
    const double around = burst + std::max(0.0, first_burst);
    demand.burst_squares += around * around;
    return demand;
  }

  void add_reference(const isa::Instruction& reference, Demand& demand) const {
    const std::size_t unit = unit_of(reference.completes_in);
    const UnitDemand service = service_of(chip_, reference.operation, reference.count);
    demand.units[unit].references += service.references;
    demand.units[unit].bus_cycles += service.bus_cycles;
    demand.units[unit].writes += service.writes;
    if (reference.aborts == isa::AbortClass::kSwap)
      demand.delay += free_latency(chip_, unit);
  }

  const isa::ProgramImage& image_;
  const CodeParts& parts_;
  const simulator::ChipDescription& chip_;
  const std::vector<isa::Successors> flow_;
  const std::vector<WordUse> uses_;
  std::vector<WordStep> steps_;
  std::vector<bool> hands_over_;
};

}  // namespace

std::map<std::size_t, Demand> looks_for_room(const CompiledProgram& program, const CodeParts& parts,
                                             const simulator::ChipDescription& chip) {
  return PutCode(program, parts, chip).looks();
}

}  // namespace nplab::experiments
