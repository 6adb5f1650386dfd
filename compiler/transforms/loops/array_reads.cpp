#include "compiler/transforms/loops/array_reads.h"

#include <optional>

#include "compiler/backend/Microengine.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kBytesOfQuadword = 8;

bool is_of_a_memory(unsigned space) {
  return space == MicroengineAddressSpace::kSram || space == MicroengineAddressSpace::kScratch ||
         space == MicroengineAddressSpace::kSdram;
}

std::optional<SteppingRead> stepping_read(Instruction& instruction, const Loop& loop,
                                          ScalarEvolution& values) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  if (!load || !load->isSimple() || !is_of_a_memory(load->getPointerAddressSpace()) ||
      !(load->getType()->isIntegerTy(32) || load->getType()->isIntegerTy(64)))
    return std::nullopt;
  auto* place = dyn_cast<SCEVAddRecExpr>(values.getSCEV(load->getPointerOperand()));
  if (!place || place->getLoop() != &loop || !place->isAffine())
    return std::nullopt;
  auto* step = dyn_cast<SCEVConstant>(place->getStepRecurrence(values));
  if (!step || step->getAPInt().isNegative())
    return std::nullopt;
  return SteppingRead{load, place, step->getAPInt().getZExtValue()};
}

// What the read itself is known to have, or what its start has, if every step keeps that.
Align alignment_of(const SteppingRead& first) {
  const Align stated = first.load->getAlign();
  auto* start = dyn_cast<SCEVUnknown>(first.place->getStart());
  if (!start)
    return stated;
  const Align known = getKnownAlignment(start->getValue(), first.load->getDataLayout());
  return std::max(stated, commonAlignment(known, first.step));
}

// The reads at a constant distance from `first`; nothing if together they leave a gap in a step,
// which C does not read, or do not start where a burst may.
std::optional<ArrayReads> array_with(const SteppingRead& first, ArrayRef<SteppingRead> all,
                                     ScalarEvolution& values) {
  ArrayReads array;
  for (SteppingRead read : all) {
    if (read.space() != first.space() || read.step != first.step)
      continue;
    auto* distance = dyn_cast<SCEVConstant>(values.getMinusSCEV(read.place, first.place));
    if (!distance)
      continue;
    read.offset = distance->getAPInt().getSExtValue();
    array.reads.push_back(read);
  }
  sort(array.reads,
       [](const SteppingRead& a, const SteppingRead& b) { return a.offset < b.offset; });
  const int64_t start = array.reads.front().offset;
  uint64_t covered = 0;
  for (SteppingRead& read : array.reads) {
    read.offset -= start;
    if (static_cast<uint64_t>(read.offset) != covered)
      return std::nullopt;
    covered += read.size();
  }
  array.alignment = alignment_of(array.reads.front());
  const unsigned unit = array.is_in_sdram() ? kBytesOfQuadword : kBytesOfLongword;
  return covered == first.step && array.alignment >= unit ? std::optional(array) : std::nullopt;
}

}  // namespace

bool ArrayReads::is_in_sdram() const {
  return reads.front().space() == MicroengineAddressSpace::kSdram;
}

const SteppingRead* ArrayReads::find(const Instruction& load) const {
  const auto* found = find_if(reads, [&](const SteppingRead& read) { return read.load == &load; });
  return found == reads.end() ? nullptr : found;
}

SmallVector<ArrayReads, 2> find_array_reads(const Loop& loop, ScalarEvolution& values) {
  SmallVector<SteppingRead, 4> all;
  for (Instruction& instruction : *loop.getHeader())
    if (const std::optional<SteppingRead> read = stepping_read(instruction, loop, values))
      all.push_back(*read);
  SmallVector<ArrayReads, 2> arrays;
  for (const SteppingRead& read : all) {
    const bool is_found =
        any_of(arrays, [&](const ArrayReads& array) { return array.find(*read.load); });
    if (is_found)
      continue;
    if (const std::optional<ArrayReads> array = array_with(read, all, values))
      arrays.push_back(*array);
  }
  return arrays;
}

}  // namespace nplab::compiler
