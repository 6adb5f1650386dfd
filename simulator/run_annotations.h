// Where annotations go: those about frames to the frame tracker, those of the console to the host.
#pragma once

#include <array>
#include <vector>

#include "simulator/fbi/frame_tracker.h"
#include "simulator/ports.h"

namespace nplab::simulator {

class RunAnnotations final : public AnnotationSink {
 public:
  // `console` may be null; both outlive this.
  RunAnnotations(FrameTracker& tracker, AnnotationSink* console) : tracker_(tracker), console_(console) {}

  // By number of the thread and DropReason - 1; threads behind the last gave up none.
  [[nodiscard]] const std::vector<std::array<std::uint64_t, kDropReasons>>& drops() const { return drops_; }

  void annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first, std::uint32_t second,
                  Cycle at) override;

 private:
  FrameTracker& tracker_;
  AnnotationSink* console_;
  std::vector<std::array<std::uint64_t, kDropReasons>> drops_;

  void count_drop(ThreadId thread, std::uint32_t reason);
};

}  // namespace nplab::simulator
