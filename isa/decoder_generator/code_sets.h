// Which operand codes each register class allows in its field.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/TableGen/Record.h"

namespace nplab::isa::generator {

struct CodeRange {
  int first = 0;
  int last = 0;
  bool operator==(const CodeRange&) const = default;
};

// The operand codes of every register class by the class's name, ascending and joined. A class of
// bursts allows the codes of the first registers of its bursts.
std::map<std::string, std::vector<CodeRange>> read_code_sets(const llvm::RecordKeeper& records);

}  // namespace nplab::isa::generator
