#include "simulator/fbi/frame_tracker.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace nplab::simulator {
namespace {

constexpr std::size_t kUsualFrames = 4096;  // in flight: as many as packet buffers, usually
constexpr std::uint32_t kLineBytes = 64;

// Kinds of fate in the hash, beside twice a rule's index.
constexpr std::uint64_t kDropFate = std::uint64_t{1} << 40;
constexpr std::uint64_t kSentFate = std::uint64_t{2} << 40;

std::size_t index(FrameViolation kind) {
  return static_cast<std::size_t>(kind);
}

std::string hexadecimal(std::uint32_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x00000000";
  for (unsigned i = 0; i < 8; ++i)
    text[9 - i] = kDigits[(value >> (4 * i)) & 15];
  return text;
}

}  // namespace

std::uint64_t FrameCounters::outstanding() const {
  return received - sent - std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

FrameTracker::FrameTracker(unsigned ports, std::uint32_t sdram_bytes)
    : lines_(sdram_bytes / kLineBytes),
      tags_(static_cast<FrameRef*>(std::calloc(std::max(1u, lines_), sizeof(FrameRef)))),
      ports_(ports) {
  assert(tags_ && "the host has memory for the tags");
  frames_.reserve(kUsualFrames);
  free_slots_.reserve(kUsualFrames);
  for (Port& port : ports_) {
    port.leaving_bytes.reserve(2048);
    port.next_arrival.resize(ports);
  }
}

FrameRef FrameTracker::begin(unsigned port, const Mpacket& mpacket) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(frames_.size()));
    frames_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  const std::uint32_t generation = frames_[slot].generation;
  frames_[slot] = Frame{};
  frames_[slot].packet = mpacket.packet;
  frames_[slot].arrival = mpacket.arrival;
  frames_[slot].generation = generation;
  frames_[slot].port = static_cast<std::uint8_t>(port);
  frames_[slot].live = true;
  return FrameRef{slot, generation};
}

bool FrameTracker::is_live(FrameRef frame) const {
  return frame.generation != 0 && frames_[frame.slot].live &&
         frames_[frame.slot].generation == frame.generation;
}

void FrameTracker::finish(FrameRef frame) {
  frames_[frame.slot].live = false;
  ++frames_[frame.slot].generation;
  free_slots_.push_back(frame.slot);
}

void FrameTracker::receive(unsigned port, unsigned element, const Mpacket& mpacket, Cycle started,
                           Cycle at) {
  settle_annotations(at);
  Port& in = ports_[port];
  if (mpacket.start_of_packet) {
    in.arriving = begin(port, mpacket);
    if (!in.in.first_start)
      in.in.first_start = started;
  }
  const FrameRef ref = in.arriving;
  assert(is_live(ref) && "an mpacket belongs to a frame that arrives");
  elements_[element] = ref;
  Frame& frame = frames_[ref.slot];
  frame.bytes += static_cast<std::uint32_t>(mpacket.bytes.size());
  if (!mpacket.end_of_packet)
    return;
  frame.received = at;
  ++counters_.received;
  ++in.in.frames;
  in.in.bytes += frame.bytes;
  counters_.received_bytes += frame.bytes;
  if (sink_)
    sink_->received(frame.packet, port, at);
  if (observer_)
    observer_->received(port, at, frame.packet.frame.first(frame.bytes));
  if (frame.drop)
    count_drop(ref);
}

void FrameTracker::tag(std::uint32_t address, std::uint32_t bytes, FrameRef frame, Cycle at) {
  settle_annotations(at);
  if (bytes == 0)
    return;
  const std::uint32_t last = std::min((address + bytes - 1) / kLineBytes, lines_ - 1);
  for (std::uint32_t line = address / kLineBytes; line <= last; ++line)
    tags_[line] = frame;
}

FrameRef FrameTracker::frame_at(std::uint32_t address) const {
  const std::uint32_t line = address / kLineBytes;
  return line < lines_ ? tags_[line] : FrameRef{};
}

std::optional<std::uint64_t> FrameTracker::packet_at(std::uint32_t address) const {
  const FrameRef frame = frame_at(address);
  return is_live(frame) ? std::optional(frames_[frame.slot].packet.sequence) : std::nullopt;
}

FrameTracker::FrameFacts FrameTracker::facts_of(const Frame& frame) {
  return {frame.packet,      frame.port, frame.received,
          frame.has_verdict, frame.rule, frame.forward_port};
}

std::optional<FrameTracker::FrameFacts> FrameTracker::facts_at(std::uint32_t address) const {
  const FrameRef frame = frame_at(address);
  return is_live(frame) ? std::optional(facts_of(frames_[frame.slot])) : std::nullopt;
}

std::vector<FrameTracker::FrameFacts> FrameTracker::frames_in_chip() const {
  std::vector<FrameFacts> facts;
  for (const Frame& frame : frames_)
    if (frame.live)
      facts.push_back(facts_of(frame));
  std::sort(facts.begin(), facts.end(), [](const FrameFacts& a, const FrameFacts& b) {
    return a.packet.sequence < b.packet.sequence;
  });
  return facts;
}

FrameTracker::Frame* FrameTracker::expect_live(FrameRef frame, const char* act, std::uint32_t where,
                                               Cycle at) {
  if (is_live(frame))
    return &frames_[frame.slot];
  const bool known = frame.generation != 0;
  violation(known ? FrameViolation::kFinishedFrame : FrameViolation::kUnknownFrame,
            std::string(act) + " at " + hexadecimal(where) +
                (known ? ", whose frame is already sent or dropped" : ", where no frame lies"),
            at);
  return nullptr;
}

void FrameTracker::read(std::uint32_t address, Cycle done) {
  const FrameRef frame = frame_at(address);
  if (is_live(frame) && !frames_[frame.slot].key_loaded)
    frames_[frame.slot].key_loaded = done;
}

void FrameTracker::verdict(std::uint32_t address, std::optional<std::uint32_t> rule, Cycle at) {
  Frame* frame = expect_live(frame_at(address), "a verdict", address, at);
  if (!frame)
    return;
  if (frame->has_verdict) {
    return violation(FrameViolation::kSecondVerdict,
                     "a second verdict on packet " + std::to_string(frame->packet.sequence), at);
  }
  frame->has_verdict = true;
  frame->rule = rule;
  ++counters_.classified;
  if (frame->key_loaded)
    classification_.add(at - *frame->key_loaded);
  remember(*frame, rule ? std::uint64_t{*rule} << 1 : 1, at);
  if (sink_)
    sink_->verdict(frame->packet, rule, at);
}

void FrameTracker::cached(std::uint32_t address, Cycle at) {
  if (expect_live(frame_at(address), "a hit in the flow cache", address, at) != nullptr)
    ++counters_.cached;
}

void FrameTracker::forward(std::uint32_t address, std::uint32_t port, Cycle at) {
  if (Frame* frame = expect_live(frame_at(address), "a forward", address, at))
    frame->forward_port = port;
}

void FrameTracker::drop(std::uint32_t address, std::uint32_t reason, Cycle at) {
  const std::uint32_t element = (address - kReceiveFifoAddress) / kLineBytes;
  const bool in_fifo = address >= kReceiveFifoAddress && element < elements_.size();
  const FrameRef ref = in_fifo ? elements_[element] : frame_at(address);
  Frame* frame = expect_live(ref, "a drop", address, at);
  if (!frame)
    return;
  if (frame->drop)
    return violation(FrameViolation::kFinishedFrame, "a second drop at " + hexadecimal(address),
                     at);
  if (reason == 0 || reason > kDropReasons) {
    violation(FrameViolation::kBadDropReason, "a drop for reason " + std::to_string(reason), at);
    reason = static_cast<std::uint32_t>(DropReason::kOther);
  }
  frame->drop = static_cast<DropReason>(reason);
  remember(*frame, kDropFate + reason, at);
  if (sink_)
    sink_->dropped(frame->packet, *frame->drop, at);
  if (frame->received)
    count_drop(ref);
}

void FrameTracker::count_drop(FrameRef ref) {
  ++counters_.dropped[static_cast<std::size_t>(*frames_[ref.slot].drop) - 1];
  finish(ref);
}

void FrameTracker::send(FrameRef ref, unsigned port, const Outgoing& mpacket, Cycle started,
                        Cycle at) {
  settle_annotations(at);
  Port& out = ports_[port];
  const bool continues = !mpacket.start_of_packet;
  if (continues != out.open || (continues && !(ref == out.leaving))) {
    violation(FrameViolation::kBrokenFraming,
              "port " + std::to_string(port) + " got an mpacket out of its frame's order", at);
  }
  if (mpacket.start_of_packet) {
    out.leaving = ref;
    out.leaving_bytes.clear();
    if (!out.out.first_start)
      out.out.first_start = started;
  }
  out.leaving_bytes.insert(out.leaving_bytes.end(), mpacket.bytes.begin(), mpacket.bytes.end());
  out.open = !mpacket.end_of_packet;
  if (mpacket.end_of_packet)
    finish_sending(port, at);
}

void FrameTracker::finish_sending(unsigned port, Cycle at) {
  Port& out = ports_[port];
  if (observer_)
    observer_->sent(port, at, out.leaving_bytes);
  Frame* frame = expect_live(out.leaving, "a transmission by port", port, at);
  if (!frame || !frame->received || frame->drop)
    ++counters_.sent_again;
  if (!frame)
    return;
  check_sent(*frame, port, at);
  if (!frame->received || frame->drop)
    return;
  remember(*frame, kSentFate + port, at);
  count_sent(*frame, port, at);
  if (sink_)
    sink_->sent(frame->packet, port, at);
  finish(out.leaving);
}

void FrameTracker::check_sent(const Frame& frame, unsigned port, Cycle at) {
  const Port& out = ports_[port];
  const auto name = [&frame] { return "packet " + std::to_string(frame.packet.sequence); };
  if (!frame.received || frame.drop) {
    violation(FrameViolation::kSentBeforeReceived, name() + " was sent before it was received", at);
  }
  const auto expected = frame.packet.frame.first(frame.bytes);
  if (!std::equal(expected.begin(), expected.end(), out.leaving_bytes.begin(),
                  out.leaving_bytes.end())) {
    ++counters_.altered;
    violation(FrameViolation::kBytesDiffer,
              name() + " was sent with other bytes than were received", at);
  }
  if (frame.forward_port && *frame.forward_port != port) {
    violation(FrameViolation::kWrongPort,
              name() + " was sent on port " + std::to_string(port) + ", forwarded to port " +
                  std::to_string(*frame.forward_port),
              at);
  }
}

void FrameTracker::count_sent(const Frame& frame, unsigned port, Cycle at) {
  Port& out = ports_[port];
  ++counters_.sent;
  ++out.out.frames;
  out.out.bytes += frame.bytes;
  counters_.sent_bytes += frame.bytes;
  latency_.add(at - *frame.received);
  if (counters_.sent <= kMostLatencies)
    latencies_.push_back(at - *frame.received);
  else
    latencies_ = {};
  std::uint64_t& next = out.next_arrival[frame.port];
  if (frame.arrival < next)
    ++counters_.reordered;
  next = std::max(next, frame.arrival + 1);
  std::uint64_t& next_of_port = ports_[frame.port].next_sent;
  if (frame.arrival < next_of_port)
    ++counters_.overtaken;
  next_of_port = std::max(next_of_port, frame.arrival + 1);
}

void FrameTracker::remember(const Frame& frame, std::uint64_t fate, Cycle at) {
  StateHash one;
  one.add(frame.packet.sequence);
  one.add(fate);
  one.add(at);
  fates_ += one.value();
}

void FrameTracker::violation(FrameViolation kind, const std::string& what, Cycle at) {
  if (violations_[index(kind)]++ == 0)
    messages_.push_back("cycle " + std::to_string(at.number()) + ": " + what);
}

std::uint64_t FrameTracker::violations() const {
  return std::accumulate(violations_.begin(), violations_.end(), std::uint64_t{0});
}

std::uint64_t FrameTracker::in_flight() const {
  const auto is_in_flight = [](const Frame& frame) { return frame.live && frame.received; };
  return static_cast<std::uint64_t>(std::count_if(frames_.begin(), frames_.end(), is_in_flight));
}

void FrameTracker::describe_in_flight(std::size_t most, std::vector<std::string>& lines) const {
  std::vector<const Frame*> frames;
  for (const Frame& frame : frames_) {
    if (frame.live && frame.received)
      frames.push_back(&frame);
  }
  std::sort(frames.begin(), frames.end(),
            [](const Frame* a, const Frame* b) { return a->received < b->received; });
  for (std::size_t i = 0; i < std::min(most, frames.size()); ++i) {
    const Frame& frame = *frames[i];
    lines.push_back("packet " + std::to_string(frame.packet.sequence) + " from port " +
                    std::to_string(frame.port) + ", received in cycle " +
                    std::to_string(frame.received->number()) +
                    (frame.has_verdict ? ", is not sent" : ", has no verdict"));
  }
}

// Slots depend on the order in which modules report within a window, so frames are added without
// order.
void FrameTracker::hash(StateHash& hash) const {
  std::uint64_t frames = 0;
  for (const Frame& frame : frames_) {
    if (!frame.live)
      continue;
    StateHash one;
    one.add(frame.packet.sequence);
    one.add(frame.bytes);
    one.add(frame.has_verdict);
    one.add(frame.received.value_or(Cycle::never()));
    frames += one.value();
  }
  hash.add(frames);
  hash.add(fates_);
  hash.add_all(counters_.dropped);
  hash.add_all(std::initializer_list<std::uint64_t>{
      counters_.received, counters_.sent, counters_.classified, counters_.reordered, violations()});
}

}  // namespace nplab::simulator
