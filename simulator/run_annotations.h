// Where annotations go: those about frames to the frame tracker, those of the console to the host.
#pragma once

#include "simulator/fbi/frame_tracker.h"
#include "simulator/ports.h"

namespace nplab::simulator {

class RunAnnotations final : public AnnotationSink {
 public:
  // `console` may be null; both outlive this.
  RunAnnotations(FrameTracker& tracker, AnnotationSink* console) : tracker_(tracker), console_(console) {}

  void annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first, std::uint32_t second,
                  Cycle at) override;

 private:
  FrameTracker& tracker_;
  AnnotationSink* console_;
};

}  // namespace nplab::simulator
