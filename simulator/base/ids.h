// Who is who on the chip: microengines, their contexts, and threads (a context of a certain
// microengine).
#pragma once

#include <compare>
#include <cstdint>

namespace nplab::simulator {

// Bounds of every chip; how many there are is the chip file's matter. A thread number has nine bits
// in rcv_req and inter_thd_sig.
inline constexpr unsigned kMostContexts = 8;  // of an engine
inline constexpr unsigned kMostEngines = 64;
inline constexpr unsigned kMostThreads = kMostEngines * kMostContexts;
inline constexpr unsigned kThreadField = kMostThreads - 1;  // mask

class EngineId {
 public:
  constexpr EngineId() = default;
  constexpr explicit EngineId(unsigned index) : index_(static_cast<std::uint8_t>(index)) {}
  [[nodiscard]] constexpr unsigned index() const { return index_; }
  constexpr auto operator<=>(const EngineId&) const = default;

 private:
  std::uint8_t index_ = 0;
};

// Not an engine: whose references belong to none.
inline constexpr EngineId kNoEngine(0xff);

class ContextId {
 public:
  constexpr ContextId() = default;
  constexpr explicit ContextId(unsigned index) : index_(static_cast<std::uint8_t>(index)) {}
  [[nodiscard]] constexpr unsigned index() const { return index_; }
  // The next one in rotation among `contexts`.
  [[nodiscard]] constexpr ContextId next(unsigned contexts) const {
    return ContextId(index_ + 1u == contexts ? 0 : index_ + 1u);
  }
  constexpr auto operator<=>(const ContextId&) const = default;

 private:
  std::uint8_t index_ = 0;
};

// From one engine's thread numbers to the next one's: 8 where an engine has more than four
// contexts.
inline constexpr unsigned kUsualStride = 4;
constexpr unsigned thread_stride(unsigned contexts) {
  return contexts > kUsualStride ? kMostContexts : kUsualStride;
}

struct ThreadId {
  EngineId engine;
  ContextId context;

  constexpr ThreadId() = default;
  constexpr ThreadId(EngineId e, ContextId c) : engine(e), context(c) {}
  // The number that software uses is engine * stride + context.
  constexpr explicit ThreadId(unsigned number, unsigned stride = kUsualStride)
      : engine(number / stride), context(number % stride) {}
  [[nodiscard]] constexpr unsigned number(unsigned stride = kUsualStride) const {
    return engine.index() * stride + context.index();
  }
  // Its place in an array of kMostThreads.
  [[nodiscard]] constexpr unsigned place() const { return number(kMostContexts); }
  constexpr auto operator<=>(const ThreadId&) const = default;
};

}  // namespace nplab::simulator
