// Objects of C in a program that stands still: variables, their members and elements, in registers,
// in memory, or nowhere any more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/debugging/change.h"
#include "experiments/debugging/machine_reader.h"
#include "isa/variable_table.h"

namespace nplab::experiments {

using Types = std::vector<isa::VariableType>;

// Bits that lie in memory, the first `bit_offset` after the highest of the byte at `address`.
struct MemoryBits {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes
  std::uint32_t bit_offset = 0;
};
// Bits that were gathered from registers and memory; those that are not known are 0 in `known`.
struct GatheredBits {
  // Bits that are the lowest ones of a register, as they are.
  struct InRegister {
    std::uint32_t bit_offset = 0;
    std::uint32_t bit_size = 0;
    Change::Kind kind{};
    isa::OperandCode code{};
  };
  struct Bytes {
    std::vector<std::uint8_t> values;
    std::vector<std::uint8_t> known;
    std::vector<InRegister> registers{};
  };
  std::shared_ptr<const Bytes> bytes;
  std::uint32_t bit_offset = 0;
};

struct ProgramObject {
  std::uint32_t type = 0;  // of its Types
  std::uint32_t bit_size = 0;
  std::variant<MemoryBits, GatheredBits> bits;
};

// Why an object has no value; a sentence without its end.
struct NoValue {
  std::string why;
};

const isa::VariableType& resolved(const Types& types, std::uint32_t type);
// "struct rule __sram *".
std::string type_text(const Types& types, std::uint32_t type);

ProgramObject object_in_memory(const Types& types, std::uint32_t type, MemoryBits place);
// A value of its own, of at most 64 bits.
ProgramObject object_of_value(const Types& types, std::uint32_t type, std::uint64_t value);

// What a register holds, as a thread reads it.
ProgramObject object_in_register(const Types& types, std::uint32_t type, std::uint64_t value,
                                 isa::OperandCode code);

ProgramObject member_of(const ProgramObject& object, const isa::VariableType::Member& member);
ProgramObject element_of(const Types& types, const ProgramObject& array, std::int64_t index);

// Of what is no structure, union or array, extended by its sign: at most 64 bits.
std::variant<std::uint64_t, NoValue> scalar_of(const Types& types, const ProgramObject& object,
                                               const MachineReader& reader);

// As a debugger shows it: a number, a name, a pointer, or "{...}".
std::string object_text(const Types& types, const ProgramObject& object,
                        const MachineReader& reader);

// Members, elements, or what a pointer leads to, by the C that follows or surrounds its name.
struct ObjectPart {
  std::string name;        // ".port", "[3]", "*"
  std::string expression;  // of the part, from that of the whole
  ProgramObject object;
};
std::vector<ObjectPart> parts_of(const Types& types, const ProgramObject& object,
                                 const std::string& expression, const MachineReader& reader);

}  // namespace nplab::experiments
