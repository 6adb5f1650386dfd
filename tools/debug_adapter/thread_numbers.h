// How threads, words and places in memory are named to a debugger's client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/debugging/stop_points.h"
#include "isa/program_image.h"
#include "simulator/base/ids.h"

namespace nplab::tools {

// Threads count from 1, since clients take 0 for none.
struct ThreadNumber {
  unsigned engine = 0;
  unsigned context = 0;
};
constexpr unsigned number_of(ThreadNumber thread) {
  return thread.engine * simulator::kMostContexts + thread.context + 1;
}
constexpr ThreadNumber thread_number(unsigned number) {
  return {(number - 1) / simulator::kMostContexts, (number - 1) % simulator::kMostContexts};
}
// "1.2" of engine 1, context 2.
std::string thread_name(unsigned number);
std::optional<unsigned> thread_named(const std::string& name);

// A frame of a thread: 0 is the innermost. Frames are void once the run goes on.
struct FrameNumber {
  unsigned thread = 0;
  unsigned level = 0;
};
inline constexpr unsigned kFramesApart = 1024;  // more than there are threads
constexpr unsigned id_of(FrameNumber frame) {
  return frame.level * kFramesApart + frame.thread;
}
constexpr FrameNumber frame_number(unsigned number) {
  return {number % kFramesApart, number / kFramesApart};
}

// A word of an engine's control store, as an address that clients can compute with: the engine in
// the upper half.
struct WordPlace {
  unsigned engine = 0;
  std::uint32_t word = 0;
};
std::string address_of(WordPlace place);
std::optional<WordPlace> place_of_address(const std::string& address, std::int64_t offset);

// "sram:0x100".
struct MemoryPlace {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes, a multiple of 4
};
std::optional<MemoryPlace> memory_place(const std::string& text);
std::string memory_text(MemoryPlace place);

// "rfifo:0x40", in bytes from the first element's first one.
struct FifoPlace {
  std::string fifo;
  std::uint32_t address = 0;  // bytes, a multiple of 4
};
std::optional<FifoPlace> fifo_place(const std::string& text);

// As the protocol names it; anything else is a write.
experiments::MemoryAccess access_named(const std::string& name);

}  // namespace nplab::tools
