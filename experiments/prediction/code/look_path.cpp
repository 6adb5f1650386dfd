#include "experiments/prediction/code/look_path.h"

#include <algorithm>
#include <optional>

#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/unit_service.h"
#include "experiments/record/word_use.h"

namespace nplab::experiments {
namespace {

class PutCode {
 public:
  PutCode(const CompiledProgram& program, const CodeParts& parts,
          const simulator::ChipDescription& chip)
      : parts_(parts), chip_(chip), ways_(program.image, chip), uses_(word_uses(program.image)) {}

  std::map<std::size_t, Demand> looks() {
    std::map<std::size_t, Demand> looks;
    for (std::size_t word = 0; word < uses_.size(); ++word) {
      if (!ways_.steps()[word].reference || uses_[word] == WordUse::kLockSpin)
        continue;
      const auto queue = queue_of(word);
      if (!queue || looks.contains(*queue))
        continue;
      const auto way = ways_.way(word, word);
      if (!way.empty())
        looks[*queue] = demand_of(way);
    }
    return looks;
  }

 private:
  // That a look there is for: code of a put, or a look of the library on the way to a put.
  [[nodiscard]] std::optional<std::size_t> queue_of(std::size_t word) const {
    const CodePart part = parts_.part_of(word, 0, {});
    if (part.kind == PartKind::kPut)
      return part.index;
    if (uses_[word] != WordUse::kBlocked)
      return std::nullopt;
    const auto reached = ways_.from(word);
    double nearest = CodeWays::kUnreached;
    std::optional<std::size_t> queue;
    for (std::size_t other = 0; other < reached.size(); ++other) {
      for (const CodePart& of : ways_.hands_over()[other]) {
        if (of.kind != PartKind::kPut || reached[other].cycles >= nearest)
          continue;
        nearest = reached[other].cycles;
        queue = of.index;
      }
    }
    return queue;
  }

  [[nodiscard]] Demand demand_of(const std::vector<CodeWays::Passed>& way) const {
    Demand demand;
    double burst = 0, first_burst = -1;
    for (const CodeWays::Passed& passed : way) {
      const WordStep& step = ways_.steps()[passed.word];
      demand.cycles += 1 + passed.aborted;
      demand.aborted += passed.aborted;
      burst += 1 + passed.aborted;
      if (step.reference) {
        add_reference(chip_, *step.reference, 1, demand);
        if (step.reference->aborts == isa::AbortClass::kSwap)
          demand.delay += free_latency(chip_, unit_of(step.reference->completes_in));
      }
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

  const CodeParts& parts_;
  const simulator::ChipDescription& chip_;
  const CodeWays ways_;
  const std::vector<WordUse> uses_;
};

}  // namespace

std::map<std::size_t, Demand> looks_for_room(const CompiledProgram& program, const CodeParts& parts,
                                             const simulator::ChipDescription& chip) {
  return PutCode(program, parts, chip).looks();
}

}  // namespace nplab::experiments
