// The instructions of the description as plain values, read once from TableGen's records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/TableGen/Record.h"

namespace nplab::isa::generator {

struct FieldRecord {
  std::string name;
  int high = 0;
  int low = 0;
  int bias = 0;
};

struct OperandRecord {
  std::string name;          // as in the assembly string, without $
  const llvm::Record* kind;  // a register class or an operand definition
  bool is_register = false;
  bool is_tied = false;  // the same register as the destination; not written
  int low_bit = 0;       // lowest bit of its field in the word
  int bits = 0;          // how many of the operand's bits reach the word
};

// Where the program continues after the instruction, from LLVM's flags isBranch, isBarrier,
// isIndirectBranch and isReturn.
enum class ControlFlow { kNext, kBranch, kConditionalBranch, kComputed };

struct InstructionRecord {
  const llvm::Record* record;
  std::string name;  // LLVM's opcode name
  std::string semantics;
  std::string assembly;
  std::uint64_t mask = 0;   // bits that are fixed
  std::uint64_t value = 0;  // what they are
  const llvm::Record* format;
  std::vector<FieldRecord> fields;
  std::vector<OperandRecord> operands;  // outputs, then inputs: the order of LLVM's MCInst
  ControlFlow flow = ControlFlow::kNext;
  bool names_target = false;  // has a control-store address in its word
};

// All real instructions (no pseudo instructions), by encoding. Ends the program at the record that
// is wrong.
std::vector<InstructionRecord> read_instructions(const llvm::RecordKeeper& records);

// kCamelCase of snake_case: "br_not_equal" gives kBrNotEqual.
std::string enumerator(llvm::StringRef snake_case);

}  // namespace nplab::isa::generator
