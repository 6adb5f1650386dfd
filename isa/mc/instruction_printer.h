// Prints instructions in Intel's syntax.
#pragma once

#include "llvm/MC/MCInstPrinter.h"

namespace llvm {

class MicroengineInstPrinter : public MCInstPrinter {
 public:
  using MCInstPrinter::MCInstPrinter;

  void printInst(const MCInst* instruction, std::uint64_t address, StringRef annotation,
                 const MCSubtargetInfo& subtarget, raw_ostream& out) override;
  void printRegName(raw_ostream& out, MCRegister reg) const override;

  // Generated.
  std::pair<const char*, std::uint64_t> getMnemonic(const MCInst* instruction) override;
  void printInstruction(const MCInst* instruction, std::uint64_t address, raw_ostream& out);
  static const char* getRegisterName(MCRegister reg);

 private:
  // Called by the generated code, which names them after the operands of the description.
  void printOperand(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printTarget(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printByteMask(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printShift(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printImmedPosition(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printCSR(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printLocalCSR(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printInputState(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printSignal(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printEventList(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printBranchTokens(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printReferenceTokens(const MCInst* instruction, unsigned index, raw_ostream& out);
  void printLoadCC(const MCInst* instruction, unsigned index, raw_ostream& out);
};

}  // namespace llvm
