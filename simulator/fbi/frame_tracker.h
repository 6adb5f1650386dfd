// Follows every frame through the chip, on the host's side: software neither sees it nor pays for
// it. A frame is known by where its bytes lie: element of the RFIFO, then SDRAM addresses, then
// element of the TFIFO.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/base/ports.h"
#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"
#include "simulator/fbi/drop_reason.h"
#include "simulator/fbi/latency_histogram.h"
#include "simulator/media/mpacket.h"

namespace nplab::simulator {

// A frame under way. A reference outlives its frame and then names none.
struct FrameRef {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0: no frame
  bool operator==(const FrameRef&) const = default;
};

// Annotations that wait for their cycle: engines run ahead of the units that move frames.
class PendingAnnotations {
 public:
  virtual ~PendingAnnotations() = default;
  // The cycle of the earliest; never() when there is none.
  [[nodiscard]] Cycle earliest() const { return earliest_; }
  // Carries out those of all cycles up to and including `at`, in order.
  virtual void release(Cycle at) = 0;

 protected:
  Cycle earliest_ = Cycle::never();
};

// What software said and did about frames, for the checks against the reference classifier. Called
// in the order of the cycles.
class VerdictSink {
 public:
  virtual ~VerdictSink() = default;
  virtual void received(const workloads::OfferedPacket&, unsigned /*port*/, Cycle) {}
  // Nothing: no rule matches.
  virtual void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
                       Cycle at) = 0;
  virtual void dropped(const workloads::OfferedPacket&, DropReason, Cycle) {}
  virtual void sent(const workloads::OfferedPacket&, unsigned /*port*/, Cycle) {}
};

// Sees each frame as it passes, for captures. Cycles do not decrease within a port and direction.
class FrameObserver {
 public:
  virtual ~FrameObserver() = default;
  virtual void received(unsigned port, Cycle at, std::span<const std::uint8_t> frame) = 0;
  virtual void sent(unsigned port, Cycle at, std::span<const std::uint8_t> frame) = 0;
};

// What must not happen. The first of each kind is kept in words.
enum class FrameViolation : std::uint8_t {
  kUnknownFrame,   // an address or a TFIFO element that holds no frame
  kFinishedFrame,  // a frame that was sent or dropped before
  kSecondVerdict,
  kBytesDiffer,  // sent is not what was received
  kSentBeforeReceived,
  kWrongPort,      // sent on another port than packet_forward said
  kBrokenFraming,  // start and end marks do not enclose one frame
  kBadDropReason,
};
inline constexpr std::size_t kFrameViolations = 8;

struct FrameCounters {
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t received_bytes = 0, sent_bytes = 0;   // of these, without gap and preamble
  std::array<std::uint64_t, kDropReasons> dropped{};  // received frames, by DropReason - 1
  std::uint64_t classified = 0;                       // verdicts
  std::uint64_t cached = 0;                           // of frames that a flow cache knew
  std::uint64_t mega_flow_hits = 0;                   // verdicts from a cache of mega flows
  std::uint64_t altered = 0;                          // sent with other bytes than were received
  std::uint64_t sent_again =
      0;  // transmissions of frames already sent or dropped, or never received
  std::uint64_t reordered =
      0;  // sent after a frame that came later on the same port and left by the same port
  std::uint64_t overtaken = 0;  // the same whatever port they left by

  [[nodiscard]] std::uint64_t dropped_for(DropReason reason) const {
    return dropped[static_cast<std::size_t>(reason) - 1];
  }
  // Received, and neither sent nor dropped, by these counts.
  [[nodiscard]] std::uint64_t outstanding() const;
};

struct DirectionCounters {
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;           // of these frames, without gap and preamble
  std::optional<Cycle> first_start;  // the first start of packet crosses the IX bus
};

class FrameTracker final : public SdramReadWatch {
 public:
  FrameTracker(unsigned ports, std::uint32_t sdram_bytes);

  // All may be absent; what is set outlives the tracker.
  void set_verdict_sink(VerdictSink* sink) { sink_ = sink; }
  void set_observer(FrameObserver* observer) { observer_ = observer; }
  // Annotations of a cycle come before what the units do in it.
  void set_annotations(PendingAnnotations* annotations) { annotations_ = annotations; }

  // An mpacket from `port` crossed the IX bus from `started` on and is in `element` of the RFIFO in
  // cycle `at`. The frame counts as received with its last mpacket.
  void receive(unsigned port, unsigned element, const Mpacket& mpacket, Cycle started, Cycle at);
  [[nodiscard]] FrameRef frame_in_receive_fifo(unsigned element) const {
    return elements_[element];
  }

  // `bytes` of SDRAM from `address` on hold a part of the frame, from cycle `at` on.
  void tag(std::uint32_t address, std::uint32_t bytes, FrameRef frame, Cycle at);
  [[nodiscard]] FrameRef frame_at(std::uint32_t address) const;

  // The sequence number of the packet whose bytes lie there, while it is in the chip.
  [[nodiscard]] std::optional<std::uint64_t> packet_at(std::uint32_t address) const;

  // What is known of a frame that is in the chip.
  struct FrameFacts {
    workloads::OfferedPacket packet;
    unsigned port = 0;              // on which it arrived
    std::optional<Cycle> received;  // all of it
    bool has_verdict = false;
    std::optional<std::uint32_t> rule;  // of the verdict; none: no rule matches
    std::optional<std::uint32_t> forward_port;
  };
  [[nodiscard]] std::optional<FrameFacts> facts_at(std::uint32_t address) const;
  // Of all frames in the chip, the oldest first.
  [[nodiscard]] std::vector<FrameFacts> frames_in_chip() const;

  // A transfer over the IX bus to `port` from `started` to `at`. The frame counts as sent with its
  // last mpacket.
  struct Outgoing {
    std::span<const std::uint8_t> bytes;
    bool start_of_packet = false;
    bool end_of_packet = false;
  };
  void send(FrameRef frame, unsigned port, const Outgoing& mpacket, Cycle started, Cycle at);

  // The first read of a frame's bytes loads its key.
  void read(std::uint32_t address, Cycle done) override;

  // Annotations. `address` is the SDRAM byte address of the frame's first byte.
  void verdict(std::uint32_t address, std::optional<std::uint32_t> rule, Cycle at);
  void forward(std::uint32_t address, std::uint32_t port, Cycle at);
  void cached(std::uint32_t address, Cycle at);
  void mega_flow_hit() { ++counters_.mega_flow_hits; }
  // `reason` is the number that software gave. A frame that found no buffer is named by the RFIFO
  // element of one of its mpackets: kReceiveFifoAddress + 64 * element.
  void drop(std::uint32_t address, std::uint32_t reason, Cycle at);
  static constexpr std::uint32_t kReceiveFifoAddress = 0x80000000;

  [[nodiscard]] const FrameCounters& counters() const { return counters_; }
  [[nodiscard]] const DirectionCounters& received_on(unsigned port) const {
    return ports_[port].in;
  }
  [[nodiscard]] const DirectionCounters& sent_on(unsigned port) const { return ports_[port].out; }
  // Received to sent.
  [[nodiscard]] const LatencyHistogram& latency() const { return latency_; }
  // Key loaded to verdict, of the frames that have both.
  [[nodiscard]] const LatencyHistogram& classification() const { return classification_; }
  // Latency of each frame in the order of sending; of no frame when more than kMostLatencies were
  // sent.
  static constexpr std::size_t kMostLatencies = std::size_t{1} << 23;
  [[nodiscard]] const std::vector<Cycles>& latencies() const { return latencies_; }
  [[nodiscard]] std::uint64_t violations(FrameViolation kind) const {
    return violations_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::uint64_t violations() const;
  // The first violation of each kind that came about, as sentences.
  [[nodiscard]] const std::vector<std::string>& violation_messages() const { return messages_; }

  // Frames that were received and are still followed, by looking at each: the conservation of
  // packets says that this is counters().outstanding().
  [[nodiscard]] std::uint64_t in_flight() const;
  // Sentences on frames that are in flight, the oldest first, at most `most`.
  void describe_in_flight(std::size_t most, std::vector<std::string>& lines) const;
  void hash(StateHash& hash) const;

 private:
  struct Frame {
    workloads::OfferedPacket packet;
    std::uint64_t arrival = 0;
    std::uint32_t generation = 1;
    std::uint32_t bytes = 0;  // that crossed the IX bus so far
    std::uint8_t port = 0;
    bool live = false;
    bool has_verdict = false;
    std::optional<std::uint32_t> rule;  // of the verdict
    std::optional<DropReason> drop;     // said before the frame was all received
    std::optional<Cycle> received;
    std::optional<Cycle> key_loaded;
    std::optional<std::uint32_t> forward_port;
  };
  struct Port {
    DirectionCounters in;
    DirectionCounters out;
    FrameRef arriving;
    FrameRef leaving;
    bool open = false;  // between start and end of a frame that leaves
    std::vector<std::uint8_t> leaving_bytes;
    std::vector<std::uint64_t>
        next_arrival;  // by port of arrival: one more than the latest frame sent from there
    std::uint64_t next_sent = 0;  // of those that arrived here: one more than the latest sent
  };

  void settle_annotations(Cycle at) {
    if (annotations_ != nullptr && annotations_->earliest() <= at)
      annotations_->release(at);
  }
  FrameRef begin(unsigned port, const Mpacket& mpacket);
  [[nodiscard]] bool is_live(FrameRef frame) const;
  [[nodiscard]] static FrameFacts facts_of(const Frame& frame);
  // The frame, or null and a violation that names `where`.
  Frame* expect_live(FrameRef frame, const char* act, std::uint32_t where, Cycle at);
  void finish(FrameRef frame);
  void count_drop(FrameRef frame);
  void finish_sending(unsigned port, Cycle at);
  void check_sent(const Frame& frame, unsigned port, Cycle at);
  void count_sent(const Frame& frame, unsigned port, Cycle at);
  // In any order within a window, so that hashes of the state can be compared.
  void remember(const Frame& frame, std::uint64_t fate, Cycle at);
  void violation(FrameViolation kind, const std::string& what, Cycle at);

  struct Free {
    void operator()(FrameRef* tags) const { std::free(tags); }
  };

  VerdictSink* sink_ = nullptr;
  FrameObserver* observer_ = nullptr;
  PendingAnnotations* annotations_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> free_slots_;
  std::array<FrameRef, 16> elements_{};  // of the RFIFO
  std::uint32_t lines_;                  // of SDRAM, 64 bytes each
  std::unique_ptr<FrameRef[], Free>
      tags_;  // by line; the host maps pages of zeros as they are touched
  std::vector<Port> ports_;
  FrameCounters counters_;
  LatencyHistogram latency_;
  LatencyHistogram classification_;
  std::vector<Cycles> latencies_;
  std::uint64_t fates_ = 0;  // hashes of what became of which packet and when, added up
  std::array<std::uint64_t, kFrameViolations> violations_{};
  std::vector<std::string> messages_;
};

}  // namespace nplab::simulator
