// The chip's memory map at its host socket. Words are 32 bits in the host's byte order; accesses
// are of aligned words, any number of them within one range. SRAM is as the engines see it, with
// the ranges of devices. The map is nplab's own.
#pragma once

#include <cstdint>

namespace nplab::systemc::host_map {

inline constexpr std::uint64_t kSram = 0x00000000;
inline constexpr std::uint64_t kSdram = 0x40000000;
inline constexpr std::uint64_t kScratch = 0x80000000;
// The FBI's control and status registers: kRegisters + 4 * its number (docs/chip.md). Reading and
// writing do what they do when an engine does them.
inline constexpr std::uint64_t kRegisters = 0x90000000;
// Writing word n signals thread n (event inter_thread), whatever the value.
inline constexpr std::uint64_t kThreadSignals = 0xa0000000;
// One word: the bits that engines have set by writing their number to self_destruct. Reading
// clears them.
inline constexpr std::uint64_t kDoorbells = 0xb0000000;

}  // namespace nplab::systemc::host_map
