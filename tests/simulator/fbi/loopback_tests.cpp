// Frames through media device, FBI and tracker, moved between the FIFOs by a stand-in for software.
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <set>

#include "tests/simulator/fbi/fbi_bench.h"

namespace nplab::simulator {
namespace {

using Register = isa::ControlStatusRegister;
using test::FbiBench;

struct Captured : FrameObserver {
  void received(unsigned, Cycle, std::span<const std::uint8_t> frame) override { add(in, frame); }
  void sent(unsigned, Cycle, std::span<const std::uint8_t> frame) override { add(out, frame); }
  static void add(std::multiset<std::vector<std::uint8_t>>& to,
                  std::span<const std::uint8_t> frame) {
    to.insert({frame.begin(), frame.end()});
  }
  std::multiset<std::vector<std::uint8_t>> in;
  std::multiset<std::vector<std::uint8_t>> out;
};

// One thread a port asks for mpackets; whole frames wait in "SDRAM" and leave by the next port.
class Software {
 public:
  explicit Software(FbiBench& bench) : bench_(bench) {
    for (unsigned port = 0; port < 4; ++port)
      ask(port, Cycle(10 + 2 * port));
  }

  void work(Cycle at) {
    while (seen_ < bench_.threads.signals.size() && bench_.threads.signals[seen_].at < at) {
      const test::Signal& signal = bench_.threads.signals[seen_++];
      if (signal.event == isa::Event::kStartReceive)
        take(signal.thread.number(), std::max(at, bench_.now));
    }
    if (at >= next_send_)
      send(std::max(at, bench_.now));
  }

 private:
  struct Buffer {
    std::uint32_t address = 0;
    unsigned bytes = 0;
    unsigned port = 0;
    std::vector<std::uint32_t> longwords;
  };

  void ask(unsigned port, Cycle at) {
    bench_.fast_write(Register::kReceiveRequest, port | port << 4 | port << 8, at);
  }

  void take(unsigned port, Cycle at) {
    const std::uint32_t control = bench_.value_of(Register::kReceiveControl, at, ThreadId(port));
    if ((control & (1u << 11)) == 0)
      store(port, control, at);
    ask(port, bench_.now);
  }

  void store(unsigned port, std::uint32_t control, Cycle at) {
    Buffer& buffer = filling_[port];
    if (control & (1u << 8))
      buffer = Buffer{2048 * (next_buffer_++ % 256), 0, (port + 1) % 8, {}};
    std::array<std::uint32_t, 16> longwords{};
    bench_.fbi.read_receive_fifo(64 * port, buffer.address + buffer.bytes, longwords, at);
    buffer.longwords.insert(buffer.longwords.end(), longwords.begin(), longwords.end());
    buffer.bytes += (control >> 16) & 127;
    if ((control & (1u << 9)) == 0)
      return;
    bench_.tracker.verdict(buffer.address, 0, at);
    if (next_buffer_ % 7 == 0)
      return bench_.tracker.drop(buffer.address, 3, at);
    bench_.tracker.forward(buffer.address, buffer.port, at);
    whole_.push_back(buffer);
  }

  // Fills one element when at most 8 are under way.
  void send(Cycle at) {
    next_send_ = at + 64;
    const unsigned pointer = bench_.value_of(Register::kTransmitPointer, at);
    if (whole_.empty() || element_ - pointer >= 8)
      return;
    const Buffer& frame = whole_.front();
    const unsigned bytes = std::min(64u, frame.bytes - sent_);
    const bool ends = sent_ + bytes == frame.bytes;
    const std::uint32_t control =
        frame.port | (sent_ == 0) << 8 | std::uint32_t{ends} << 9 | bytes << 16;
    bench_.transmit(element_ % 16, control, at + 30, frame.address + sent_,
                    std::span(frame.longwords).subspan(sent_ / 4, 16));
    ++element_;
    sent_ = ends ? 0 : sent_ + bytes;
    if (ends)
      whole_.pop_front();
  }

  FbiBench& bench_;
  std::size_t seen_ = 0;
  std::array<Buffer, 4> filling_;
  std::deque<Buffer> whole_;
  unsigned next_buffer_ = 0;
  unsigned element_ = 0;
  unsigned sent_ = 0;  // bytes of the first whole frame
  Cycle next_send_;
};

TEST_CASE("frames of all sizes come back byte for byte, and lossless arrival loses none") {
  const auto offering = GENERATE(Offering::kWire, Offering::kLossless);
  std::mt19937 random(7);
  std::vector<test::TestFrame> frames;
  for (unsigned i = 0; i < 400; ++i)
    frames.push_back({i % 4, 64 + random() % 600, random() % 400});
  FbiBench bench(frames, 1, offering);
  Captured captured;
  bench.tracker.set_observer(&captured);
  Software software(bench);
  Cycle at(20);
  while (at < Cycle(4'000'000) &&
         (!bench.media.exhausted() || bench.tracker.counters().outstanding() != 0)) {
    software.work(at);
    at = std::max(at + 1, bench.now);
    bench.run(at);
    bench.media.run(at);
  }
  const FrameCounters& counters = bench.tracker.counters();
  CHECK(bench.media.exhausted());
  CHECK(bench.tracker.in_flight() == 0);
  CHECK(bench.media.totals().offered == 400);
  CHECK(counters.received + bench.media.totals().missed == 400);
  CHECK(counters.sent + counters.dropped_for(DropReason::kDenied) == counters.received);
  CHECK(counters.dropped_for(DropReason::kDenied) > 20);
  CHECK(counters.reordered == 0);
  CHECK(bench.tracker.violation_messages() == std::vector<std::string>{});
  CHECK(bench.monitor.faults.empty());
  CHECK(std::includes(captured.in.begin(), captured.in.end(), captured.out.begin(),
                      captured.out.end()));
  CHECK(captured.out.size() == counters.sent);
  if (offering == Offering::kLossless)
    CHECK(counters.received == 400);
}

struct Scripted {
  Register csr;
  std::uint32_t value;
  Cycle at;
};

// Requests, signals, transmissions and polls at random times, the same for each seed.
std::vector<Scripted> random_script(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Scripted> script;
  Cycle at(900);
  unsigned element = 0;
  for (int i = 0; i < 3000; ++i) {
    at = at + 3 + random() % 80;
    switch (random() % 4) {
      case 0:
        script.push_back(
            {Register::kReceiveRequest,
             static_cast<std::uint32_t>(random() % 4 | (random() % 16) << 4 | (random() % 24) << 8),
             at});
        break;
      case 1: script.push_back({Register::kTransmitValidate, element++ % 16, at}); break;
      case 2:
        script.push_back(
            {Register::kInterThreadSignal, static_cast<std::uint32_t>(random() % 24), at});
        break;
      default: script.push_back({Register::kReceiveReady, 0, at});
    }
  }
  return script;
}

struct Outcome {
  std::uint64_t hash = 0;
  std::vector<test::Push> pushes;
  std::vector<test::Signal> signals;
  std::size_t faults = 0;
};

template <class NextWindow>
Outcome play(const std::vector<Scripted>& script, NextWindow next_window) {
  FbiBench bench({{0, 64, 0}, {1, 200, 0}, {2, 64, 30}, {3, 1000, 0}}, 1000);
  for (unsigned element = 0; element < 16; ++element) {
    bench.threads.write_registers[0] = test::kWholeFrame | (element % 3);
    bench.reference(isa::Operation::kTFifoWr, 1, TransmitFifo::kControlAddress + 4 * element,
                    Cycle(10 + 10 * element));
    bench.fbi.run(Cycle(18 + 10 * element));
  }
  std::size_t next = 0;
  Cycle at(300);
  const Cycle end(150'000);
  while (at < end) {
    at = std::min(end, at + next_window());
    for (; next < script.size() && script[next].at < at; ++next) {
      const Scripted& command = script[next];
      if (command.csr == Register::kReceiveReady) {
        bench.read_register(command.csr, command.at);
      } else {
        bench.fast_write(command.csr, command.value, command.at);
      }
    }
    bench.fbi.run(at);
    bench.media.run(at);
  }
  StateHash hash;
  bench.fbi.hash(hash);
  bench.media.hash(hash);
  return {hash.value(), bench.threads.pushes, bench.threads.signals, bench.monitor.faults.size()};
}

TEST_CASE("how far the FBI runs at a time does not change what it does") {
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  const auto script = random_script(seed);
  const Outcome lockstep = play(script, [] { return 1u; });
  std::mt19937 random(seed);
  const Outcome windows =
      play(script, [&random] { return 1 + static_cast<unsigned>(random() % 12); });
  CHECK(lockstep.hash == windows.hash);
  CHECK(lockstep.pushes == windows.pushes);
  CHECK(lockstep.signals == windows.signals);
  CHECK(lockstep.faults == windows.faults);
  CHECK(lockstep.signals.size() > 500);
}

}  // namespace
}  // namespace nplab::simulator
