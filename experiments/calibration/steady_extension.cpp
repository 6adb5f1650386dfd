#include "experiments/calibration/steady_extension.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/analysis/derive.h"

namespace nplab::experiments {
namespace {

using reports::Count;
using reports::RunRecord;

// The beginning of the last part.
struct Begin {
  Count cycle = 0;
  std::size_t intervals = 0;  // of the activity before it
  std::size_t sample = 0;     // that was taken at its cycle
};

// The latest cycle before the last part at which both the activity and the samples have a count.
std::optional<Begin> begin_of_last_part(const RunRecord& record, double steady_share) {
  const Count activity = record.activity ? record.activity->interval_cycles : 0;
  const Count samples = record.samples.interval_cycles;
  if (activity == 0 || samples == 0)
    return std::nullopt;
  const Count step = std::lcm(activity, samples);
  const auto at = static_cast<Count>((1 - steady_share) * static_cast<double>(record.cycles.core));
  const Count cycle = at / step * step;
  if (cycle == 0 || cycle / samples > record.samples.received.size())
    return std::nullopt;
  return Begin{cycle, static_cast<std::size_t>(cycle / activity),
               static_cast<std::size_t>(cycle / samples - 1)};
}

Count sum_of(const reports::CountSeries& series, std::size_t intervals) {
  const auto end = series.values.begin() +
                   static_cast<std::ptrdiff_t>(std::min(intervals, series.values.size()));
  return std::accumulate(series.values.begin(), end, Count{0});
}

class Extension {
 public:
  Extension(RunRecord& record, const Begin& begin, double times)
      : record_(record), begin_(begin), times_(times) {}

  void extend() {
    for (reports::Engine& engine : record_.engines)
      extend_engine(engine);
    for (const reports::MemoryActivity& memory : record_.activity->memory) {
      for (auto [name, unit] :
           {std::pair{"sram", &record_.memory.sram}, std::pair{"sdram", &record_.memory.sdram},
            std::pair{"scratch", &record_.memory.scratch}}) {
        if (memory.name == name)
          unit->active_cycles =
              further(unit->active_cycles, sum_of(memory.active_cycles, begin_.intervals));
      }
    }
    extend_packets();
    record_.cycles.core = further(record_.cycles.core, begin_.cycle);
    record_.cycles.ix_bus = static_cast<Count>(std::llround(
        static_cast<double>(record_.cycles.core) * static_cast<double>(record_.clocks.ix_bus_hz) /
        static_cast<double>(record_.clocks.core_hz)));
    for (reports::Engine& engine : record_.engines) {
      const auto& cycles = engine.cycles;
      const Count busy = cycles.executing + cycles.aborted + cycles.stalled;
      engine.cycles.idle = record_.cycles.core - std::min(busy, record_.cycles.core);
    }
  }

 private:
  // The count at the end and the one at the beginning of the last part, carried on.
  [[nodiscard]] Count further(Count end, Count begin) const {
    return end + static_cast<Count>(std::llround(times_ * static_cast<double>(end - begin)));
  }

  void extend_engine(reports::Engine& engine) const {
    const Count executed = engine.cycles.executing;
    reports::EngineCycles before;
    for (const reports::ThreadActivity& thread : record_.activity->threads) {
      if (thread.engine != engine.id)
        continue;
      for (const reports::StateActivity& state : thread.states) {
        const Count cycles = sum_of(state.cycles, begin_.intervals);
        if (state.state == "executing")
          before.executing += cycles;
        else if (state.state == "aborted")
          before.aborted += cycles;
        else if (state.state == "stalled")
          before.stalled += cycles;
      }
    }
    engine.cycles.executing = further(engine.cycles.executing, before.executing);
    engine.cycles.aborted = further(engine.cycles.aborted, before.aborted);
    engine.cycles.stalled = further(engine.cycles.stalled, before.stalled);
    if (executed > 0)
      engine.instructions = static_cast<Count>(
          std::llround(static_cast<double>(engine.instructions) / static_cast<double>(executed) *
                       static_cast<double>(engine.cycles.executing)));
  }

  void extend_packets() {
    reports::Packets& packets = record_.packets;
    const Count received = packets.received;
    const Count sent = packets.sent;
    packets.received = further(received, record_.samples.received[begin_.sample]);
    packets.sent = further(sent, record_.samples.sent[begin_.sample]);
    const auto scaled = [](Count value, Count now, Count before) {
      return before == 0 ? value
                         : static_cast<Count>(
                               std::llround(static_cast<double>(value) * static_cast<double>(now) /
                                            static_cast<double>(before)));
    };
    for (reports::Port& port : record_.ports) {
      port.received = scaled(port.received, packets.received, received);
      port.sent = scaled(port.sent, packets.sent, sent);
      port.frame_bytes.receive = scaled(port.frame_bytes.receive, packets.received, received);
      port.frame_bytes.transmit = scaled(port.frame_bytes.transmit, packets.sent, sent);
    }
  }

  RunRecord& record_;
  const Begin begin_;
  const double times_;  // how often the last part is carried on
};

}  // namespace

std::optional<RunRecord> extended_to(RunRecord record, Count received, double steady_share) {
  const auto begin = begin_of_last_part(record, steady_share);
  if (!begin)
    return std::nullopt;
  const Count end = record.packets.received;
  const Count last = end - record.samples.received[begin->sample];
  if (last == 0 || end == 0)
    return std::nullopt;
  const double missing = static_cast<double>(received) - static_cast<double>(end);
  Extension(record, *begin, std::max(0.0, missing) / static_cast<double>(last)).extend();
  record.activity.reset();
  record.samples = {};
  record.lines.clear();
  record.sources.clear();
  record.programs.clear();
  for (reports::Engine& engine : record.engines)
    engine.threads.clear();
  reports::fill_derived(record);
  return record;
}

}  // namespace nplab::experiments
