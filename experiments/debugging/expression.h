// C expressions over what a thread sees: numbers, registers (a0 to b15, $0, $$0: what it would
// read) and longwords of memory (sram[0x100], in bytes). All values are unsigned, of 32 bits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "isa/instruction.h"
#include "isa/program_image.h"

namespace nplab::experiments {

struct ExpressionError {
  std::string message;
};

struct ExpressionContext {
  std::function<std::uint32_t(isa::OperandCode)> register_value;
  // Nothing: outside the memory.
  std::function<std::optional<std::uint32_t>(isa::MemorySpace, std::uint32_t address)> longword;
};

std::variant<std::uint32_t, ExpressionError> evaluate(const std::string& text,
                                                      const ExpressionContext& context);

// `sram`, `sdram`, `scratch`.
const char* name_of(isa::MemorySpace space);
std::optional<isa::MemorySpace> memory_space_named(const std::string& name);

}  // namespace nplab::experiments
