#include "simulator/observe/run_annotations.h"

#include <algorithm>
#include <tuple>

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kNoMatch = 0xffffffff;  // the rule of packet_verdict (isa/program_image.h)

}  // namespace

void RunAnnotations::count_drop(ThreadId thread, std::uint32_t reason) {
  if (reason == 0 || reason > kDropReasons)
    return;  // a violation, which the tracker tells
  if (drops_.size() <= thread.place())
    drops_.resize(thread.place() + 1);
  ++drops_[thread.place()][reason - 1];
}

void RunAnnotations::annotation(isa::Annotation::Kind kind, ThreadId thread, std::uint32_t first,
                                std::uint32_t second, Cycle at) {
  // Those of one engine come in order.
  const auto is_before = [](const Pending& one, const Pending& other) {
    return std::tie(one.at, one.thread.engine) < std::tie(other.at, other.thread.engine);
  };
  const Pending added{kind, thread, first, second, at};
  pending_.insert(std::upper_bound(pending_.begin(), pending_.end(), added, is_before), added);
  earliest_ = pending_.front().at;
}

void RunAnnotations::release(Cycle at) {
  auto next = pending_.begin();
  for (; next != pending_.end() && next->at <= at; ++next)
    carry_out(*next);
  pending_.erase(pending_.begin(), next);
  earliest_ = pending_.empty() ? Cycle::never() : pending_.front().at;
}

void RunAnnotations::carry_out(const Pending& pending) {
  const auto& [kind, thread, first, second, at] = pending;
  using Kind = isa::Annotation::Kind;
  acting_ = thread;
  switch (kind) {
    case Kind::kPacketVerdict:
      return tracker_.verdict(first, second == kNoMatch ? std::nullopt : std::optional(second), at);
    case Kind::kPacketDrop: count_drop(thread, second); return tracker_.drop(first, second, at);
    case Kind::kPacketForward: return tracker_.forward(first, second, at);
    case Kind::kPacketCached: return tracker_.cached(first, at);
    case Kind::kMegaFlowHit: return tracker_.mega_flow_hit();
    case Kind::kConsoleHex:
    case Kind::kConsoleChar:
      if (console_ != nullptr)
        console_->annotation(kind, thread, first, second, at);
      return;
    case Kind::kQueueEntryPut:
    case Kind::kQueueEntryTaken:
    case Kind::kQueueEntryFreed:
      if (ring_marks_ != nullptr)
        ring_marks_->mark(kind, first, second);
      return;
    case Kind::kAbort:      // a fault, the engine's
    case Kind::kPollBegin:  // for reports by source line
    case Kind::kBlockedBegin:
    case Kind::kWaitCode:
    case Kind::kPollEnd: return;
  }
}

}  // namespace nplab::simulator
