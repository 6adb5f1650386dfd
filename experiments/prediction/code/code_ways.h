// What a thread passes on its way through a program, from the code alone.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/demand.h"
#include "isa/control_flow.h"
#include "isa/instruction.h"
#include "isa/program_image.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::experiments {

// By word; nothing: not an instruction.
std::vector<std::optional<isa::Instruction>> instructions_in(const isa::ProgramImage& image);

bool is_memory_reference(const isa::Instruction& instruction);

// Its demand of the unit.
void add_reference(const simulator::ChipDescription& chip, const isa::Instruction& reference,
                   double times, Demand& demand);

// What a thread pays for a word whenever it executes the word.
struct WordStep {
  double taken_aborts = 0;  // of a branch that ends here, with its deferred words
  double swap_aborts = 0;
  bool swaps = false;  // the thread yields after it
  std::optional<isa::Instruction> reference;
};

class CodeWays {
 public:
  CodeWays(const isa::ProgramImage& image, const simulator::ChipDescription& chip);

  [[nodiscard]] const std::vector<WordStep>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<isa::Successors>& flow() const { return flow_; }
  // By word: hand_overs.
  [[nodiscard]] const std::vector<std::vector<CodePart>>& hands_over() const { return hands_over_; }

  static constexpr double kUnreached = std::numeric_limits<double>::infinity();
  struct Reached {
    double cycles = kUnreached;
    std::size_t before = 0;
    bool by_branch = false;
  };
  // Shortest ways (Dijkstra), none beyond a word where an entry is handed over.
  [[nodiscard]] std::vector<Reached> from(std::size_t word) const;

  struct Passed {
    std::size_t word = 0;
    double aborted = 0;       // after it
    double taken_aborts = 0;  // of these, by a branch that is taken
  };
  // The shortest way from the first word to the last, without it; empty: there is none. From a word
  // to itself: around.
  [[nodiscard]] std::vector<Passed> way(std::size_t first, std::size_t last) const;

 private:
  void read(const isa::ProgramImage& image, std::size_t word, const isa::Instruction& instruction,
            const simulator::PipelineDescription& pipeline);

  std::vector<isa::Successors> flow_;
  std::vector<WordStep> steps_;
  std::vector<std::vector<CodePart>> hands_over_;
};

}  // namespace nplab::experiments
