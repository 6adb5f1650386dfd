// The push and pull buses: the units' way to the transfer registers and events of every engine.
// Their latency is part of the units' figures; they are never the bottleneck here.
#pragma once

#include <cassert>
#include <vector>

#include "simulator/base/ports.h"

namespace nplab::simulator {

class TransferBus final : public ThreadAccess {
 public:
  // Once, before the first cycle: the engines by number, and after them the core, if there is one.
  void connect(std::vector<ThreadAccess*> engines) { engines_ = std::move(engines); }

  void pull(ThreadId thread, TransferRegister first, std::span<std::uint32_t> longwords,
            Cycle at) override {
    engine_of(thread).pull(thread, first, longwords, at);
  }
  void answer(ThreadId thread, const Answer& answer) override {
    engine_of(thread).answer(thread, answer);
  }

 private:
  [[nodiscard]] ThreadAccess& engine_of(ThreadId thread) const {
    assert(thread.engine.index() < engines_.size() && "a thread of an engine that does not exist");
    return *engines_[thread.engine.index()];
  }

  std::vector<ThreadAccess*> engines_;
};

}  // namespace nplab::simulator
