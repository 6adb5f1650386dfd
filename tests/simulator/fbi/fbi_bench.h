// An FBI with a media device and recording stand-ins for the engines, driven by commands that
// arrive in chosen cycles.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/fbi/fbi.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::simulator::test {

// The values of the IXP1200-like chip at the time of writing; tests state cycles for these.
inline constexpr FbiParameters kFbiParameters{.queues = {{8}},
                                              .command_latency = 4,
                                              .csr_cycles = 2,
                                              .csr_read_latency = 8,
                                              .csr_write_latency = 8,
                                              .fifo_longword_cycles = 1,
                                              .fifo_latency = 8,
                                              .hash_cycles = 16,
                                              .hash_latency = 16,
                                              .signal_latency = 2,
                                              .fifo_elements = 16,
                                              .ready_bus_period = 12,
                                              .receive_requests = 8,
                                              .receive_request_margin = 4,
                                              .receive_timeout = 10,
                                              .receive_control_latency = 6,
                                              .ix_bytes_per_cycle = 8,
                                              .ix_receive_overhead = 5,
                                              .ix_transmit_overhead = 5};

struct Push {
  ThreadId thread;
  unsigned first = 0;
  std::vector<std::uint32_t> longwords;
  Cycle at;
  bool operator==(const Push&) const = default;
};

struct Signal {
  ThreadId thread;
  isa::Event event{};
  Cycle at;
  bool operator==(const Signal&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Signal& signal) {
  return out << "thread " << signal.thread.number() << " event " << isa::to_string(signal.event)
             << " at " << signal.at.number();
}

class RecordingThreads : public ThreadAccess {
 public:
  void pull(ThreadId, TransferRegister, std::span<std::uint32_t> longwords, Cycle at) override {
    pulled_at = at;
    for (std::size_t i = 0; i < longwords.size(); ++i)
      longwords[i] = write_registers.at(i);
  }
  void answer(ThreadId thread, const Answer& answer) override {
    const auto& longwords = answer.longwords;
    if (!longwords.empty())
      pushes.push_back(
          {thread, answer.first.index, {longwords.begin(), longwords.end()}, answer.at});
    if (answer.events != 0)
      signals.push_back({thread, static_cast<isa::Event>(answer.events), answer.at});
  }

  std::vector<std::uint32_t> write_registers =
      std::vector<std::uint32_t>(8);  // of whichever thread
  std::vector<Push> pushes;
  std::vector<Signal> signals;
  Cycle pulled_at;
};

class RecordingMonitor : public RunMonitor {
 public:
  void fault(Fault fault) override { faults.push_back(std::move(fault)); }
  void progress(Cycle at) override { progressed.push_back(at); }

  std::vector<Fault> faults;
  std::vector<Cycle> progressed;
};

inline constexpr std::uint32_t kSdramBytes = 1 << 20;

// 24 threads; 8 ports of 8 core cycles a byte; the wires start in cycle 1000; IX bus = core / 2.5.
struct FbiBench {
  explicit FbiBench(const std::vector<TestFrame>& frames, std::uint64_t repetitions = 1,
                    Offering offering = Offering::kWire,
                    const FbiParameters& parameters = kFbiParameters)
      : source(frames, repetitions),
        media({8, kLineRate, 256, 256, Cycle(1000), 0, 16384, false}, kEightCyclesPerByte,
              MediaTraffic{{}, offering}, source.source),
        tracker(8, kSdramBytes),
        fbi(parameters, IxClock(2, 5), {6, 4}, tracker) {
    fbi.connect({&threads, &monitor, &media});
  }

  void fast_write(isa::ControlStatusRegister csr, std::uint32_t data, Cycle at,
                  ThreadId thread = ThreadId(0)) {
    Command command = make(isa::Operation::kFastWr, thread);
    command.csr = static_cast<std::uint16_t>(csr);
    command.data = data;
    fbi.deliver(command, at);
  }
  void reference(isa::Operation operation, unsigned count, std::uint32_t address, Cycle at,
                 ThreadId thread = ThreadId(0)) {
    Command command = make(operation, thread);
    command.count = static_cast<std::uint8_t>(count);
    command.address = address;
    command.signals = true;
    fbi.deliver(command, at);
  }
  void read_register(isa::ControlStatusRegister csr, Cycle at, ThreadId thread = ThreadId(0)) {
    Command command = make(isa::Operation::kCsrRead, thread);
    command.csr = static_cast<std::uint16_t>(csr);
    command.signals = true;
    fbi.deliver(command, at);
  }
  // The register as a read that arrives in cycle `at` gets it; runs the FBI until it is served.
  std::uint32_t value_of(isa::ControlStatusRegister csr, Cycle at, ThreadId thread = ThreadId(0)) {
    const std::size_t before = threads.pushes.size();
    read_register(csr, at, thread);
    while (threads.pushes.size() == before)
      run(fbi.next_event() + 1);
    return threads.pushes.back().longwords.at(0);
  }
  void run(Cycle horizon) {
    fbi.run(horizon);
    now = std::max(now, horizon);
  }

  // A receive request that takes effect in cycle `at`.
  void request(unsigned port, unsigned element, unsigned thread, Cycle at) {
    fast_write(isa::ControlStatusRegister::kReceiveRequest, port | element << 4 | thread << 8,
               Cycle(at.number() - kFbiParameters.command_latency));
  }
  // Puts a whole frame of 64 bytes into a TFIFO element and validates it with effect in cycle `at`;
  // `frame` lies in SDRAM at `address`.
  void transmit(unsigned element, std::uint32_t control, Cycle at, std::uint32_t address = 0,
                std::span<const std::uint32_t> longwords = {}) {
    std::array<std::uint32_t, 16> none{};
    fbi.write_transmit_fifo(64 * element, address,
                            longwords.empty() ? std::span<const std::uint32_t>(none) : longwords,
                            Cycle(at.number() - kFbiParameters.command_latency - 1));
    threads.write_registers[0] = control;
    reference(isa::Operation::kTFifoWr, 1, TransmitFifo::kControlAddress + 4 * element,
              Cycle(at.number() - kFbiParameters.command_latency - 1));
    fast_write(isa::ControlStatusRegister::kTransmitValidate, element,
               Cycle(at.number() - kFbiParameters.command_latency));
    run(at + 1);
  }

  static Command make(isa::Operation operation, ThreadId thread) {
    Command command;
    command.operation = operation;
    command.thread = thread;
    command.pc = 17;
    return command;
  }

  TestSource source;
  MediaDevice media;
  FrameTracker tracker;
  Fbi fbi;
  RecordingThreads threads;
  RecordingMonitor monitor;
  Cycle now;  // the horizon of the last run through the bench
};

inline constexpr std::uint32_t kWholeFrame =
    64u << 16 | 1u << 9 | 1u << 8;  // control: 64 bytes, start and end

}  // namespace nplab::simulator::test
