// Some kernels of bench_kernels.h in assembly, as a programmer of the microengine writes them for
// speed, and what all forms are measured with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nplab::experiments {

struct HandWrittenKernel {
  std::string_view name;    // of the kernel in C
  std::string_view source;  // begins with `p` in a0 and `n` in a1, and leaves the result in a0
  std::uint32_t p = 0;      // for an address: of SRAM
  std::uint32_t n = 0;
  std::uint32_t longwords = 0;                           // of SRAM that it reads, from p on
  std::uint32_t (*longword)(std::uint32_t i) = nullptr;  // the value of the i-th of these
};
std::span<const HandWrittenKernel> hand_written_kernels();

}  // namespace nplab::experiments
