#include "experiments/prediction/code/hand_overs.h"

#include "isa/instruction.h"

namespace nplab::experiments {

std::vector<std::vector<CodePart>> hand_overs(const isa::ProgramImage& image) {
  using Kind = isa::Annotation::Kind;
  std::vector<std::vector<CodePart>> operations(image.words.size());
  for (const isa::Annotation& mark : image.annotations) {
    const bool puts = mark.kind == Kind::kQueueEntryPut;
    const bool is_number = (mark.second & ~0xffU) == isa::kImmediateOperand;
    if ((!puts && mark.kind != Kind::kQueueEntryTaken) || !is_number)
      continue;
    const std::size_t queue = mark.second & 0xffU;
    operations.at(mark.pc).push_back({puts ? PartKind::kPut : PartKind::kGet, queue});
  }
  return operations;
}

}  // namespace nplab::experiments
