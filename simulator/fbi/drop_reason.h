// Why software gave up a frame: the numbers that packet_drop carries. The engine-side C library
// (microengine.h) uses the same ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nplab::simulator {

enum class DropReason : std::uint32_t {
  kQueueFull = 1,
  kNoBuffer = 2,
  kDenied = 3,
  kNoMatch = 4,
  kBadFrame = 5,
  kOther = 6,
};
inline constexpr std::size_t kDropReasons = 6;

// As the run record spells it.
constexpr const char* name_of(DropReason reason) {
  constexpr const char* kNames[] = {"queue_full", "no_buffer", "denied",
                                    "no_match",   "bad_frame", "other"};
  return kNames[static_cast<std::size_t>(reason) - 1];
}

}  // namespace nplab::simulator
