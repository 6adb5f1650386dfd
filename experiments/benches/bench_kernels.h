// Plain C kernels whose size is compared with other compilers': no intrinsics, no memory spaces but
// MEMORY, which is a qualifier here and nothing elsewhere.
#pragma once

#include <span>
#include <string_view>

namespace nplab::experiments {

struct BenchKernel {
  std::string_view name;    // of the function too
  std::string_view source;  // one function; u64, u32, u16 and u8 are known
  std::string_view call;    // an expression over u32 `p`, an address, and u32 `n` that calls it
};
std::span<const BenchKernel> bench_kernels();

}  // namespace nplab::experiments
