// The push and pull buses: the units' way to the transfer registers and events of every engine. Their latency is part
// of the units' figures; they are never the bottleneck here.
#pragma once

#include <cassert>
#include <vector>

#include "simulator/ports.h"

namespace nplab::simulator {

class TransferBus final : public ThreadAccess {
 public:
  // Once, before the first cycle: the engines by number.
  void connect(std::vector<ThreadAccess*> engines) { engines_ = std::move(engines); }

  void pull(ThreadId thread, TransferRegister first, std::span<std::uint32_t> longwords, Cycle at) override {
    engine_of(thread).pull(thread, first, longwords, at);
  }
  void push(ThreadId thread, TransferRegister first, std::span<const std::uint32_t> longwords, Cycle at) override {
    engine_of(thread).push(thread, first, longwords, at);
  }
  void signal(ThreadId thread, isa::Event event, Cycle at) override {
    // Software may name an engine that the chip does not have.
    if (thread.engine.index() < engines_.size()) engine_of(thread).signal(thread, event, at);
  }

 private:
  [[nodiscard]] ThreadAccess& engine_of(ThreadId thread) const {
    assert(thread.engine.index() < engines_.size() && "a thread of an engine that does not exist");
    return *engines_[thread.engine.index()];
  }

  std::vector<ThreadAccess*> engines_;
};

}  // namespace nplab::simulator
