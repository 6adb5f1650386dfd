// Who is who on the chip: microengines, their contexts, and threads (a context of a certain microengine).
#pragma once

#include <compare>
#include <cstdint>

namespace nplab::simulator {

// Context-relative register fields of the ISA divide the register files into four.
inline constexpr unsigned kContexts = 4;
// A thread number has five bits in rcv_req and inter_thd_sig.
inline constexpr unsigned kMostEngines = 8;
inline constexpr unsigned kMostThreads = kMostEngines * kContexts;

class EngineId {
 public:
  constexpr EngineId() = default;
  constexpr explicit EngineId(unsigned index) : index_(static_cast<std::uint8_t>(index)) {}
  [[nodiscard]] constexpr unsigned index() const { return index_; }
  constexpr auto operator<=>(const EngineId&) const = default;

 private:
  std::uint8_t index_ = 0;
};

class ContextId {
 public:
  constexpr ContextId() = default;
  constexpr explicit ContextId(unsigned index) : index_(static_cast<std::uint8_t>(index)) {}
  [[nodiscard]] constexpr unsigned index() const { return index_; }
  [[nodiscard]] constexpr ContextId next() const { return ContextId((index_ + 1) % kContexts); }
  constexpr auto operator<=>(const ContextId&) const = default;

 private:
  std::uint8_t index_ = 0;
};

struct ThreadId {
  EngineId engine;
  ContextId context;

  constexpr ThreadId() = default;
  constexpr ThreadId(EngineId e, ContextId c) : engine(e), context(c) {}
  // The number software uses: engine * 4 + context.
  constexpr explicit ThreadId(unsigned number) : engine(number / kContexts), context(number % kContexts) {}
  [[nodiscard]] constexpr unsigned number() const { return engine.index() * kContexts + context.index(); }
  constexpr auto operator<=>(const ThreadId&) const = default;
};

}  // namespace nplab::simulator
