// What a run keeps of its faults and its progress.
#pragma once

#include <optional>
#include <utility>

#include "simulator/ports.h"

namespace nplab::simulator {

class RunWatch final : public RunMonitor {
 public:
  void fault(Fault fault) override {
    if (!fault_) fault_ = std::move(fault);
  }
  void progress(Cycle at) override {
    if (at > last_progress_) last_progress_ = at;
  }

  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  [[nodiscard]] Cycle last_progress() const { return last_progress_; }

 private:
  std::optional<Fault> fault_;
  Cycle last_progress_;
};

}  // namespace nplab::simulator
