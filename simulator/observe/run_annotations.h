// Where annotations go: those about frames to the frame tracker, those about entries of queues to
// the counts of rings, those of the console to the host.
// Engines run ahead of one another and of the units, so annotations are kept until all is known
// that comes before them, and executed in the order of their cycles, within a cycle of the
// engines.
#pragma once

#include <array>
#include <vector>

#include "simulator/base/ports.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/observe/ring_marks.h"

namespace nplab::simulator {

class RunAnnotations final : public AnnotationSink, public PendingAnnotations {
 public:
  // `console` may be null; both outlive this.
  RunAnnotations(FrameTracker& tracker, AnnotationSink* console)
      : tracker_(tracker), console_(console) {}

  // By ThreadId::place() and DropReason - 1; threads after the last dropped none.
  [[nodiscard]] const std::vector<std::array<std::uint64_t, kDropReasons>>& drops() const {
    return drops_;
  }

  // Where annotations of queues go, if anywhere; outlives this.
  void set_ring_marks(RingMarks* marks) { ring_marks_ = marks; }

  // Whose annotation is being executed.
  [[nodiscard]] ThreadId acting() const { return acting_; }

  void annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first,
                  std::uint32_t second, Cycle at) override;
  void release(Cycle at) override;

 private:
  struct Pending {
    isa::Annotation::Kind kind{};
    ThreadId thread;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    Cycle at;
  };
  void carry_out(const Pending& pending);
  void count_drop(ThreadId thread, std::uint32_t reason);

  FrameTracker& tracker_;
  AnnotationSink* console_;
  RingMarks* ring_marks_ = nullptr;
  std::vector<std::array<std::uint64_t, kDropReasons>> drops_;
  ThreadId acting_;
  std::vector<Pending> pending_;  // in order
};

}  // namespace nplab::simulator
