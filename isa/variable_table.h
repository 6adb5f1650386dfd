// Where the variables of a program are while it runs, and their types, as the compiler knows them:
// for debuggers. Free of LLVM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/memory_space.h"

namespace nplab::isa {

// A type of C, without its qualifiers. Bits are counted as they lie in memory: the first is the
// highest of the first byte.
struct VariableType {
  enum class Kind : std::uint32_t {
    kVoid,
    kUnsigned,
    kSigned,
    kBoolean,
    kCharacter,  // a byte that is shown as a character, too
    kEnumeration,
    kPointer,
    kArray,
    kStructure,
    kUnion,
    kFunction,
    kAlias,  // a typedef's name for another type
    kLast = kAlias
  };
  struct Member {
    std::string name;  // empty: of an unnamed structure or union
    std::uint32_t type = 0;
    std::uint32_t bit_offset = 0;
    std::uint32_t bit_size = 0;
  };
  struct Enumerator {
    std::string name;
    std::uint32_t value = 0;
  };

  Kind kind = Kind::kVoid;
  std::string name;            // a tag without its keyword; empty: none
  std::uint32_t bytes = 0;     // of an array: of all its elements
  std::uint32_t element = 0;   // of a pointer, an array and an alias: the type there
  MemorySpace space{};         // that a pointer addresses
  std::uint32_t elements = 0;  // of an array
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;
};

// The half-open range [begin, end) of words.
struct WordRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// How a part of a variable is found: a program for a stack of 32-bit values. Each step pushes one,
// or takes those on top and pushes a result.
struct PlaceStep {
  enum class Kind : std::uint32_t {
    kConstant,
    kRegister,         // an operand code, as the thread reads it
    kWrittenRegister,  // ... of a transfer register, as the units read it
    kAdd,
    kSubtract,
    kMultiply,
    kAnd,
    kOr,
    kExclusiveOr,
    kShiftLeft,
    kShiftRight,
    kShiftRightSigned,
    kNegate,
    kNot,
    kKeepBits,    // of the value on top: so many lowest ones
    kExtendSign,  // from so many bits
    kLast = kExtendSign
  };
  Kind kind{};
  std::uint32_t value = 0;
};

// A part of a variable, before any of the words is executed.
struct VariablePart {
  WordRange words;
  std::uint32_t bit_offset = 0;  // within the variable
  std::uint32_t bit_size = 0;
  bool is_in_memory = false;  // the steps give its address, else its value, in the lowest bits
  MemorySpace space{};
  std::vector<PlaceStep> steps;
};

struct ProgramVariable {
  std::string name;
  std::uint32_t type = 0;
  std::uint32_t scope = 0;      // of ProgramImage::scopes
  std::uint32_t parameter = 0;  // its number, from 1; 0: a local
  std::uint32_t line = 0;       // of its declaration
  std::vector<VariablePart> parts;
};

struct GlobalVariable {
  std::string name;
  std::uint32_t type = 0;
  MemorySpace space{};
  std::uint32_t address = 0;
};

// Empty, if the program was compiled without variables.
struct VariableTable {
  MemorySpace default_space{};  // of frames, and of pointers without a memory of their own
  std::vector<VariableType> types;
  std::vector<ProgramVariable> variables;
  std::vector<GlobalVariable> globals;

  // The type that an alias stands for.
  [[nodiscard]] const VariableType& resolved(std::uint32_t type) const {
    while (types[type].kind == VariableType::Kind::kAlias)
      type = types[type].element;
    return types[type];
  }
};

}  // namespace nplab::isa
