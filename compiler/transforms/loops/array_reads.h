// Arrays that a loop reads from one end to the other.
#pragma once

#include <cstdint>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

namespace nplab::compiler {

inline constexpr unsigned kBytesOfLongword = 4;

// A read of a longword or quadword that steps on with the rounds.
struct SteppingRead {
  llvm::LoadInst* load;
  const llvm::SCEVAddRecExpr* place;
  std::uint64_t step;       // bytes per round
  std::int64_t offset = 0;  // bytes from the first read of its array

  [[nodiscard]] unsigned space() const { return load->getPointerAddressSpace(); }
  [[nodiscard]] std::uint64_t size() const { return load->getType()->getIntegerBitWidth() / 8; }
};

// Reads that cover their step together, so that those of successive rounds are adjacent.
struct ArrayReads {
  llvm::SmallVector<SteppingRead, 4> reads;  // by offset, the first of them 0
  llvm::Align alignment;                     // of every round's first

  [[nodiscard]] std::uint64_t step() const { return reads.front().step; }
  [[nodiscard]] bool is_in_sdram() const;
  [[nodiscard]] const SteppingRead* find(const llvm::Instruction& load) const;
};

// Of a loop of one block, where a burst may start at every round. Plain pointers stay out: what
// they address is short-lived.
llvm::SmallVector<ArrayReads, 2> find_array_reads(const llvm::Loop& loop,
                                                  llvm::ScalarEvolution& values);

}  // namespace nplab::compiler
