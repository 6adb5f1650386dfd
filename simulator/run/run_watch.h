// What a run keeps of its faults and its progress.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "simulator/base/ports.h"

namespace nplab::simulator {

class RunWatch final : public RunMonitor {
 public:
  // Parts report in the order in which they are run: the earliest counts, of one cycle that of the
  // lowest thread.
  void fault(Fault fault) override {
    ++reports_;
    const auto place = [](const Fault& one) { return std::tie(one.at, one.thread, one.pc); };
    if (!fault_ || place(fault) < place(*fault_))
      fault_ = std::move(fault);
  }
  void progress(Cycle at) override {
    ++reports_;
    if (at > last_progress_)
      last_progress_ = at;
  }

  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  [[nodiscard]] Cycle last_progress() const { return last_progress_; }
  // Faults and progress reported so far.
  [[nodiscard]] std::uint64_t reports() const { return reports_; }

 private:
  std::optional<Fault> fault_;
  Cycle last_progress_;
  std::uint64_t reports_ = 0;
};

}  // namespace nplab::simulator
