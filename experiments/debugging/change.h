// What a debugger changes in a chip that stands still: a register of a thread, or a longword of
// memory.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "isa/instruction.h"
#include "isa/memory_space.h"
#include "simulator/run/run_visitor.h"

namespace nplab::experiments {

struct Change {
  enum class Kind : std::uint8_t {
    kRegister,         // as the thread reads it
    kWrittenRegister,  // of a transfer register, as the units read it
    kMemory
  };
  Kind kind{};
  unsigned engine = 0;  // of a register
  unsigned context = 0;
  isa::OperandCode code{};
  isa::MemorySpace space{};   // of memory
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::uint32_t value = 0;
  std::uint32_t bits = ~0u;  // of the longword, that take the value's
  std::uint64_t at = 0;      // before which cycle
};

void to_json(nlohmann::json& json, const Change& change);
void from_json(const nlohmann::json& json, Change& change);

void apply(const Change& change, const simulator::RunVisitor::View& view);

}  // namespace nplab::experiments
