// What a debugger reads of a thread that stands still: registers and memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "isa/instruction.h"
#include "isa/memory_space.h"

namespace nplab::experiments {

inline constexpr std::uint32_t kByteBits = 8;
inline constexpr std::uint32_t kLongwordBits = 32;

using ReadRegister = std::function<std::uint32_t(isa::OperandCode)>;

struct MachineReader {
  ReadRegister register_value;    // as the thread reads it
  ReadRegister written_register;  // of a transfer register, as the units read it
  // Nothing: outside the memory.
  std::function<std::optional<std::uint32_t>(isa::MemorySpace, std::uint32_t address)> longword;
};

// `sram`, `sdram`, `scratch`.
const char* name_of(isa::MemorySpace space);
std::optional<isa::MemorySpace> memory_space_named(const std::string& name);

}  // namespace nplab::experiments
