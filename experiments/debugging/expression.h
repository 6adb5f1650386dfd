// Expressions of C over what a thread sees: its variables, registers (a0 to b15, $0, $$0: what it
// would read) and longwords of memory (sram[0x100], in bytes).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "compiler/expressions/expression.h"
#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/machine_reader.h"
#include "experiments/debugging/program_object.h"

namespace nplab::experiments {

struct ExpressionError {
  unsigned column = 0;  // from 1
  std::string message;
};
std::string to_string(const ExpressionError& error);

struct ExpressionValue {
  Types types;
  ProgramObject object;
};

// Keeps what it has parsed: a condition is evaluated wherever its breakpoint is met.
class Expressions {
 public:
  // Keeps a reference.
  explicit Expressions(const DebugTarget& target) : target_(target) {}

  // As the frame of a thread of the engine sees it.
  std::variant<ExpressionValue, ExpressionError> evaluate(const std::string& text, unsigned engine,
                                                          const CallFrame& frame,
                                                          const MachineReader& reader);

 private:
  using Parsed = std::variant<compiler::ParsedExpression, compiler::ExpressionProblem>;
  using Key = std::tuple<unsigned, std::optional<std::uint32_t>, std::string>;

  const DebugTarget& target_;
  std::map<Key, Parsed> parsed_;  // by engine, scope and text
};

// Whether it is other than 0.
std::variant<bool, ExpressionError> is_true(const ExpressionValue& value,
                                            const MachineReader& reader);

}  // namespace nplab::experiments
