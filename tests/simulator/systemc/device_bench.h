// A module on the SRAM bus, and runs of one thread with it.
#pragma once

#include "tests/simulator/systemc/platform.h"

namespace nplab::test {

constexpr unsigned kDeviceBase = 0x8000;
inline const std::vector<std::string> kDeviceRange{
    "sram.device0={name: unit, base: 0x8000, bytes: 256}"};
constexpr unsigned kSramRead = 0, kSramWrite = 1;

inline Word sram(unsigned command, Code transfer, Code address, unsigned count = 1,
                 Completion completion = Completion::kSwap) {
  return reference({.unit = ReferenceUnit::kSram,
                    .command = command,
                    .transfer = transfer,
                    .x = address,
                    .count = count,
                    .completion = completion});
}

// Cycles of the reference chip.
inline sc_time cycles_long(double cycles) {
  return cycles * sc_time(1e15 / 165.89e6, sc_core::SC_FS);
}

// The words of a module's memory.
class DeviceMemory {
 public:
  void move(tlm::tlm_generic_payload& one) {
    for (unsigned i = 0; i < one.get_data_length(); i += 4) {
      std::uint32_t& word = words[one.get_address() + i];
      if (one.is_write())
        std::memcpy(&word, one.get_data_ptr() + i, 4);
      else
        std::memcpy(one.get_data_ptr() + i, &word, 4);
    }
  }
  std::map<std::uint64_t, std::uint32_t> words;
};

}  // namespace nplab::test
