// Memory is made of longwords (SDRAM: quadwords). These passes rewrite every access of another
// shape in terms of them. They work on IR: on the selection DAG the combiner proves neighbouring
// bytes independent and lets two read-modify- writes of one longword race.
#pragma once

#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// How a part of a longword is read whose place is only known when the program runs: moved down by
// what follows it and masked, or moved up by what stands before it and then down by a constant,
// which saves the complement of the address.
enum class PartReads { kMovedDown, kMovedUp };

// memcpy, memmove, memset become loops or, when short, longword accesses; every integer access
// narrower or wider than a longword or not aligned to one becomes aligned longword accesses. A
// store of less than a longword is a read-modify-write of it: not atomic against other threads.
struct LowerSubwordsPass : llvm::PassInfoMixin<LowerSubwordsPass> {
  explicit LowerSubwordsPass(PartReads part_reads) : part_reads(part_reads) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  PartReads part_reads;
};

// Where plain pointers address SDRAM: what goes through them becomes accesses of that space, for
// the later passes.
struct DefaultSpaceToSDRAMPass : llvm::PassInfoMixin<DefaultSpaceToSDRAMPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// Whether the addresses of quadwords are written so that elimination of common subexpressions sees
// where two longwords share one.
enum class SharedQuadwords { kIgnored, kFound };

// Longword accesses of SDRAM become quadword accesses: a load picks its half, a store reads the
// quadword, replaces the half and writes it back (not atomic against other threads).
struct LowerQuadwordsPass : llvm::PassInfoMixin<LowerQuadwordsPass> {
  explicit LowerQuadwordsPass(SharedQuadwords shared) : shared(shared) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  SharedQuadwords shared;
};

// Stores of vectors become burst writes (__me_sram_write_4, ...) that take the longwords one by
// one.
struct LowerBurstStoresPass : llvm::PassInfoMixin<LowerBurstStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// Last: accesses become volatile, so that selection takes them as they are. Its combiner would
// narrow a read-modify-write of a longword to a byte store, which does not exist.
struct FreezeAccessesPass : llvm::PassInfoMixin<FreezeAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace nplab::compiler
