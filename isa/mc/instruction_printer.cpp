#include "isa/mc/instruction_printer.h"

#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"
#include "isa/operand_text.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"

using namespace llvm;
using namespace nplab::isa;

#include "isa/MicroengineGenAsmWriter.inc"

namespace {

std::uint16_t number_in(const MCInst* instruction, unsigned index) {
  return static_cast<std::uint16_t>(instruction->getOperand(index).getImm());
}

void print_defer(unsigned count, raw_ostream& out) {
  if (count != 0)
    out << ", defer[" << count << ']';
}

}  // namespace

MCInstPrinter* llvm::createMicroengineInstPrinter(const Triple&, unsigned, const MCAsmInfo& info,
                                                  const MCInstrInfo& instructions,
                                                  const MCRegisterInfo& registers) {
  return new MicroengineInstPrinter(info, instructions, registers);
}

void MicroengineInstPrinter::printInst(const MCInst* instruction, std::uint64_t address,
                                       StringRef annotation, const MCSubtargetInfo&,
                                       raw_ostream& out) {
  printInstruction(instruction, address, out);
  printAnnotation(out, annotation);
}

// A burst is written as its first register, which has the same operand code.
void MicroengineInstPrinter::printRegName(raw_ostream& out, MCRegister reg) const {
  out << operand_text(static_cast<OperandCode>(MRI.getEncodingValue(reg)));
}

void MicroengineInstPrinter::printOperand(const MCInst* instruction, unsigned index,
                                          raw_ostream& out) {
  const MCOperand& operand = instruction->getOperand(index);
  if (operand.isReg())
    printRegName(out, operand.getReg());
  else if (operand.isImm())
    out << operand.getImm();
  else
    operand.getExpr()->print(out, &MAI);
}

// Labels end in #; a number is an address in words.
void MicroengineInstPrinter::printTarget(const MCInst* instruction, unsigned index,
                                         raw_ostream& out) {
  const MCOperand& operand = instruction->getOperand(index);
  if (operand.isImm()) {
    out << operand.getImm();
    return;
  }
  operand.getExpr()->print(out, &MAI);
  out << '#';
}

void MicroengineInstPrinter::printByteMask(const MCInst* instruction, unsigned index,
                                           raw_ostream& out) {
  const unsigned mask = number_in(instruction, index);
  out << "0b";
  for (int bit = 3; bit >= 0; --bit)
    out << (mask >> bit & 1);
}

void MicroengineInstPrinter::printShift(const MCInst* instruction, unsigned index,
                                        raw_ostream& out) {
  out << shift_text(number_in(instruction, index));
}

void MicroengineInstPrinter::printImmedPosition(const MCInst* instruction, unsigned index,
                                                raw_ostream& out) {
  const unsigned position = number_in(instruction, index);
  if (position != 0)
    out << ", " << immed_position_text(position);
}

void MicroengineInstPrinter::printCSR(const MCInst* instruction, unsigned index, raw_ostream& out) {
  out << name_of(kControlStatusRegisterNames, number_in(instruction, index));
}

void MicroengineInstPrinter::printLocalCSR(const MCInst* instruction, unsigned index,
                                           raw_ostream& out) {
  out << name_of(kLocalCSRNames, number_in(instruction, index));
}

void MicroengineInstPrinter::printInputState(const MCInst* instruction, unsigned index,
                                             raw_ostream& out) {
  out << name_of(kInputStateNames, number_in(instruction, index));
}

void MicroengineInstPrinter::printSignal(const MCInst* instruction, unsigned index,
                                         raw_ostream& out) {
  out << name_of(kEventNames, static_cast<std::uint16_t>(1u << number_in(instruction, index)));
}

void MicroengineInstPrinter::printEventList(const MCInst* instruction, unsigned index,
                                            raw_ostream& out) {
  const char* separator = "";
  for (const NamedNumber& event : kEventNames) {
    if ((number_in(instruction, index) & event.number) == 0)
      continue;
    out << separator << event.name;
    separator = ", ";
  }
}

void MicroengineInstPrinter::printBranchTokens(const MCInst* instruction, unsigned index,
                                               raw_ostream& out) {
  const unsigned tokens = number_in(instruction, index);
  print_defer(tokens & 3, out);
  if ((tokens & 4) != 0)
    out << ", guess_branch";
}

void MicroengineInstPrinter::printReferenceTokens(const MCInst* instruction, unsigned index,
                                                  raw_ostream& out) {
  const unsigned tokens = number_in(instruction, index);
  for (const NamedNumber& token : kTokenNames)
    if ((tokens & token.number) != 0)
      out << ", " << token.name;
  print_defer(tokens >> 12, out);
}

void MicroengineInstPrinter::printLoadCC(const MCInst* instruction, unsigned index,
                                         raw_ostream& out) {
  if (number_in(instruction, index) != 0)
    out << ", load_cc";
}
