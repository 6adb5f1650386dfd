#include "simulator/run_annotations.h"

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kNoMatch = 0xffffffff;  // the rule of packet_verdict (isa/program_image.h)

}  // namespace

void RunAnnotations::count_drop(ThreadId thread, std::uint32_t reason) {
  if (reason == 0 || reason > kDropReasons) return;  // a violation, which the tracker tells
  if (drops_.size() <= thread.number()) drops_.resize(thread.number() + 1);
  ++drops_[thread.number()][reason - 1];
}

void RunAnnotations::annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first, std::uint32_t second,
                                Cycle at) {
  using Kind = isa::Annotation::Kind;
  switch (kind) {
    case Kind::kPacketVerdict:
      return tracker_.verdict(first, second == kNoMatch ? std::nullopt : std::optional(second), at);
    case Kind::kPacketDrop:
      count_drop(thread, second);
      return tracker_.drop(first, second, at);
    case Kind::kPacketForward: return tracker_.forward(first, second, at);
    case Kind::kConsoleHex:
    case Kind::kConsoleChar:
      if (console_ != nullptr) console_->annotation(kind, thread, first, second, at);
      return;
    case Kind::kAbort:      // a fault, the engine's
    case Kind::kPollBegin:  // for reports by source line
    case Kind::kPollEnd: return;
  }
}

}  // namespace nplab::simulator
