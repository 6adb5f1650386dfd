// The FBI (FIFO bus interface): the registers and FIFOs between the microengines and the media
// device, its receive and transmit state machines, the hash unit and the signals between threads.
// Scratch memory, which sits in it, has a queue of its own (simulator/memory/scratch_unit.h) and
// the same command processor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/base/external_units.h"
#include "simulator/base/fixed_queue.h"
#include "simulator/base/reference_observer.h"
#include "simulator/fbi/auto_push.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/fbi/hash_unit.h"
#include "simulator/fbi/ix_bus.h"
#include "simulator/fbi/ix_clock.h"
#include "simulator/fbi/packet_fifo.h"
#include "simulator/fbi/ready_bus.h"
#include "simulator/fbi/receive_machine.h"
#include "simulator/fbi/transmit_machine.h"
#include "simulator/media/media_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator {

// Commands are served in order, one at a time: `command_latency` after arrival at the earliest,
// when the one before no longer occupies the command processor. A command takes effect, and a
// register's value is read, in the cycle of its service. Within a cycle: a sample is pushed, then a
// transfer over the IX bus ends, then a command is served, then a request times out, then the IX
// bus is given.
class Fbi : public FbiUnit {
 public:
  struct Threads {
    unsigned engines = 0;
    unsigned contexts = 0;  // of an engine
  };
  // `threads`: those of the chip. The tracker outlives the FBI.
  Fbi(const FbiParameters& parameters, const IxClock& ix_clock, const Threads& threads,
      FrameTracker& tracker);
  Fbi(const Fbi&) = delete;
  Fbi& operator=(const Fbi&) = delete;

  // Asserts that there is a media device.
  void connect(const FbiConnections& connections) override;
  void expect(const CommandKinds& kinds) override;
  void run(Cycle horizon) override {
    while (next_event_ < horizon)
      step(next_event_);
    done_ = std::max(done_, horizon);
  }
  // A frame was offered to `port`, whose first byte comes in a cycle that has not been run.
  void frame_offered(unsigned port) {
    receive_.look_again(port);
    schedule();
  }
  // The first cycle in which anything can change here, unless a command arrives.
  [[nodiscard]] Cycle next_event() const { return next_event_; }
  [[nodiscard]] Cycle earliest_answer(Cycle arrival) const override;

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override;
  void deliver(const Command& command, Cycle at) override;

  void read_receive_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                         std::span<std::uint32_t> longwords, Cycle at) override;
  void write_transmit_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                           std::span<const std::uint32_t> longwords, Cycle at) override;
  [[nodiscard]] std::uint32_t fifo_bytes() const override {
    return parameters_.fifo_elements * kMpacketBytes;
  }

  [[nodiscard]] bool input_state(isa::InputState state, Cycle at) const override;
  [[nodiscard]] Cycle known_until() const override {
    return std::min(next_event_, done_ + parameters_.command_latency);
  }

  // No frame will have been received before this cycle, beyond those counted already. A chip that
  // runs ahead bounds its window by it, to stop in the very cycle of the last frame.
  [[nodiscard]] Cycle earliest_receipt() const;

  // Is notified of references that are served; may be null.
  void observe(ReferenceObserver* observer) { observer_ = observer; }
  // Commands that are not served before `at`, those under way to the queue included.
  [[nodiscard]] std::size_t queued(Cycle at) const { return waiting(at); }
  [[nodiscard]] const ReceiveFifo& receive_fifo() const { return receive_fifo_; }
  [[nodiscard]] const TransmitFifo& transmit_fifo() const { return transmit_fifo_; }
  [[nodiscard]] std::size_t receive_requests() const { return receive_.queued(); }

  // References of all kinds, fast_wr too, and the longest queue.
  [[nodiscard]] std::uint64_t references() const { return references_; }
  [[nodiscard]] unsigned queue_peak() const { return queue_peak_; }

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  struct Queued {
    Command command;
    Cycle service;
    Cycles quickest = 0;  // from service to answer or signal, at least
  };

  void step(Cycle at);
  void schedule();
  void push_sample(Cycle at);
  void finish_transfer(Cycle at);
  void answer(const ReceiveCompletion& completion, Cycle at);

  // Commands that are not served before `at`.
  [[nodiscard]] std::size_t waiting(Cycle at) const;
  [[nodiscard]] Cycles occupancy(const Command& command) const;
  void serve(const Command& command, Cycle at);
  void read_fifo(const Command& command, Cycle at);
  void write_fifo(const Command& command, Cycle at);
  void hash_keys(const Command& command, Cycle at);
  // From the service of the command to its answer or signal, at least.
  [[nodiscard]] Cycles least_answer(const Command& command) const;
  void complete(const Command& command, std::span<const std::uint32_t> data, Cycle at);
  void signal(ThreadId thread, isa::Event event, Cycle at);
  void fault(const Command& command, Fault::Kind kind, std::string message, Cycle at);

  void read_register(const Command& command, Cycle at);
  [[nodiscard]] std::optional<std::uint32_t> register_value(const Command& command, Cycle at);
  void write_register(const Command& command, std::uint32_t value, Cycle at);
  void request_receive(const Command& command, std::uint32_t value, Cycle at);
  void validate(const Command& command, std::uint32_t element, Cycle at);
  void configure_auto_push(const Command& command, std::uint32_t value, Cycle at);
  [[nodiscard]] bool exists(ThreadId thread) const {
    return thread.engine.index() < threads_.engines && thread.context.index() < threads_.contexts;
  }
  void signal_thread(const Command& command, std::uint32_t thread, Cycle at);
  void set_sequence(unsigned which, std::uint32_t value, Cycle at);

  FbiParameters parameters_;
  IxClock ix_clock_;
  Threads threads_;
  FrameTracker& tracker_;
  FbiConnections connections_;

  ReceiveFifo receive_fifo_;
  TransmitFifo transmit_fifo_;
  ReceiveMachine receive_;
  TransmitMachine transmit_;
  IxBus ix_bus_;
  ReadyBus ready_bus_;
  AutoPush auto_push_;
  HashUnit hash_unit_;

  unsigned queue_entries_;
  FixedQueue<Queued> commands_;
  std::array<Cycle, kMostThreads> last_completion_{};

  std::array<std::uint32_t, kMostThreads> receive_control_{};
  std::array<std::uint32_t, 2> sequence_{};
  std::uint32_t thread_done_ = 0;
  std::uint32_t self_destruct_ = 0;

  Cycle done_;  // all cycles before are
  Cycle next_event_ = Cycle::never();
  Cycles quickest_;  // from the service of any command to its answer or signal, at least
  std::uint64_t references_ = 0;
  unsigned queue_peak_ = 0;
  Cycle service_;  // of the command served last
  ReferenceObserver* observer_ = nullptr;
};

}  // namespace nplab::simulator
