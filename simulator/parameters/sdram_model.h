// What a chip's SDRAM is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::simulator {

// The default first.
enum class SdramModel : std::uint8_t { kIxp1200, kDdr4 };
inline std::vector<std::string> choice_words(SdramModel) {
  return {"ixp1200", "ddr4"};
}

}  // namespace nplab::simulator
