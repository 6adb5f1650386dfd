// The receive state machine: serves requests in order, each by one mpacket from a port's buffer to
// an element of the RFIFO.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/base/fixed_queue.h"
#include "simulator/base/ids.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/fbi/ix_clock.h"
#include "simulator/fbi/packet_fifo.h"
#include "simulator/media/media_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator {

// What software writes to rcv_req.
struct ReceiveRequest {
  unsigned port = 0;     // bits 3..0
  unsigned element = 0;  // bits 7..4
  ThreadId thread;       // bits 16..8, its number; is signalled

  // `stride`: from one engine's thread numbers to the next one's.
  static ReceiveRequest decode(std::uint32_t longword, unsigned stride);
};

// What software reads from rcv_cntl.
struct ReceiveControl {
  ReceiveRequest request;        // port and element as in rcv_req
  bool start_of_packet = false;  // bit 8
  bool end_of_packet = false;    // bit 9
  bool error = false;            // bit 10
  bool empty = false;            // bit 11: the port had nothing, try again
  unsigned valid_bytes = 0;      // bits 22..16

  [[nodiscard]] std::uint32_t encode() const;
};

// An answered request.
struct ReceiveCompletion {
  ThreadId thread;
  ReceiveControl control;
};

class ReceiveMachine {
 public:
  ReceiveMachine(const FbiParameters& parameters, ReceiveFifo& fifo, FrameTracker& tracker);

  // Once, before the first cycle. The device outlives this.
  void connect(MediaDevice& media);

  // Queues a request, written in cycle `at`; false: the queue is full.
  [[nodiscard]] bool accept(const ReceiveRequest& request, Cycle at);
  // More entries are free than the margin (rec_req_avail).
  [[nodiscard]] bool available() const;
  // Requests for `port` in the queue, the one under way included.
  [[nodiscard]] unsigned claims(unsigned port) const { return claims_[port]; }
  [[nodiscard]] std::size_t queued() const { return queue_.size(); }

  // From when on the request at the head wants the IX bus; never() when it does not.
  [[nodiscard]] Cycle wants_bus() const { return wants_bus_; }
  // When the request at the head is answered as empty; never() when it is not.
  [[nodiscard]] Cycle timeout() const { return timeout_; }

  // The head has the bus from cycle `at` on. Returns how many IX cycles it keeps it.
  IxCycles start(Cycle at);
  // The transfer ends in cycle `at`.
  ReceiveCompletion complete(Cycle at);
  // The time-out of the head has come.
  ReceiveCompletion give_up(Cycle at);

  // A frame was offered to `port`: the request at the head may find it in time.
  void look_again(unsigned port);

  // The frame under way will have been received with the transfer under way.
  [[nodiscard]] bool completes_frame() const;
  // After the cycles before `done`. What a request at the head will find where frames come from
  // outside does not count before it is there.
  void hash(StateHash& hash, Cycle done) const;

 private:
  void begin_head(Cycle at);
  void look_at_port();
  ReceiveRequest pop_head(Cycle at);

  const FbiParameters& parameters_;
  MediaDevice* media_ = nullptr;
  ReceiveFifo& fifo_;
  FrameTracker& tracker_;
  FixedQueue<ReceiveRequest> queue_;
  std::vector<unsigned> claims_;  // by port
  Cycle wants_bus_ = Cycle::never();
  Cycle timeout_ = Cycle::never();
  Cycle head_since_;              // when the request came to the head
  std::optional<Cycle> started_;  // the transfer under way
};

}  // namespace nplab::simulator
