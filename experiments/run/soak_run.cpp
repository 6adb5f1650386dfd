#include "experiments/run/soak_run.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "experiments/run/simulate.h"

namespace nplab::experiments {
namespace {

using SoakClock = std::chrono::steady_clock;

// Far more than any thread needs to give back a buffer whose frame has left.
constexpr simulator::Cycles kSettling = 20'000;
constexpr double kBitsOfGap = 12 * 8.0;

// Resident set of this process, in KB.
reports::Count resident_kb() {
  std::ifstream statistics("/proc/self/statm");
  reports::Count pages = 0, resident = 0;
  statistics >> pages >> resident;
  return resident * static_cast<reports::Count>(::sysconf(_SC_PAGESIZE)) / 1024;
}

double rate_mbps(std::uint64_t bytes, std::uint64_t frames, simulator::Cycles cycles,
                 std::uint64_t core_hz) {
  const double bits = 8.0 * static_cast<double>(bytes) + kBitsOfGap * static_cast<double>(frames);
  return bits * static_cast<double>(core_hz) / static_cast<double>(cycles) / 1e6;
}

// Divides the run into windows of received packets.
class WindowCutter final : public simulator::FrameObserver {
 public:
  // `closed` is called at the end of each window; the record outlives this.
  WindowCutter(reports::SoakRecord& record, std::uint64_t core_hz, std::function<void()> closed)
      : record_(record), core_hz_(core_hz), closed_(std::move(closed)) {}

  [[nodiscard]] std::uint64_t packets() const { return packets_; }

  void received(unsigned, simulator::Cycle at, std::span<const std::uint8_t> frame) override {
    ++packets_;
    received_.add(frame);
    if (received_.frames == record_.window_packets)
      close(at);
  }
  void sent(unsigned, simulator::Cycle, std::span<const std::uint8_t> frame) override {
    sent_.add(frame);
  }

 private:
  struct Sum {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    void add(std::span<const std::uint8_t> frame) {
      ++frames;
      bytes += frame.size();
    }
  };

  void close(simulator::Cycle at) {
    const simulator::Cycle end = at + 1;
    const simulator::Cycles cycles = end - begin_;
    const auto rate = [&](const Sum& sum) {
      return rate_mbps(sum.bytes, sum.frames, cycles, core_hz_);
    };
    record_.windows.push_back({end.number(),
                               received_.frames,
                               sent_.frames,
                               resident_kb(),
                               {rate(received_), rate(sent_)}});
    received_ = sent_ = {};
    begin_ = end;
    closed_();
  }

  reports::SoakRecord& record_;
  std::uint64_t core_hz_;
  std::function<void()> closed_;
  simulator::Cycle begin_;
  Sum received_, sent_;
  std::uint64_t packets_ = 0;  // received
};

// Blocks in the SRAM unit's free list of packet buffers; one more than `most` when it does not end.
std::uint64_t free_buffers(const simulator::ChipParts& parts, std::uint64_t most) {
  const auto& sram = *parts.sram;
  std::uint64_t count = 0;
  for (std::uint32_t block = sram.free_list(0); block != 0 && count <= most;
       block = sram.storage().peek(block))
    ++count;
  return count;
}

class Soak {
 public:
  Soak(const PreparedRun& prepared, const SoakPlan& plan, const SoakWatcher& watcher)
      : prepared_(prepared), plan_(plan), watcher_(watcher), started_(SoakClock::now()) {}

  reports::SoakRecord run(Diagnostics& diagnostics) {
    record_.window_packets = plan_.window;
    record_.buffers = prepared_.experiment.placement().buffers.count;
    WindowCutter cutter(record_, prepared_.experiment.chip.clock.core_hz, [&] {
      record_.wall_s = wall_s();
      watcher_.window_closed(record_);
    });
    SimulationRequest request{
        prepared_.experiment, prepared_.programs, {}, [&](double) { show(cutter.packets()); }};
    request.ended = [&] {
      return watcher_.stop() || cutter.packets() >= plan_.packets ||
             (plan_.time && SoakClock::now() - started_ >= *plan_.time);
    };
    request.frames = &cutter;
    request.settling = kSettling;
    request.inspect = [this](const auto& parts) {
      record_.free_buffers = free_buffers(parts, record_.buffers);
    };
    auto run = simulate(request, diagnostics);
    run.options.packets = run.packets.offered;
    record_.run = std::move(run);
    record_.wall_s = wall_s();
    return std::move(record_);
  }

 private:
  [[nodiscard]] double wall_s() const {
    return std::chrono::duration<double>(SoakClock::now() - started_).count();
  }

  void show(std::uint64_t received) {
    double done = static_cast<double>(received) / static_cast<double>(plan_.packets);
    if (plan_.time)
      done = std::max(done, wall_s() / static_cast<double>(plan_.time->count()));
    watcher_.progress(record_, done);
  }

  const PreparedRun& prepared_;
  const SoakPlan& plan_;
  const SoakWatcher& watcher_;
  SoakClock::time_point started_;
  reports::SoakRecord record_;
};

}  // namespace

ExperimentOptions soaking(ExperimentOptions options) {
  options.drain = true;
  options.packets = std::numeric_limits<std::uint64_t>::max();
  return options;
}

reports::SoakRecord run_soak(const PreparedRun& prepared, const SoakPlan& plan,
                             const SoakWatcher& watcher, Diagnostics& diagnostics) {
  return Soak(prepared, plan, watcher).run(diagnostics);
}

}  // namespace nplab::experiments
