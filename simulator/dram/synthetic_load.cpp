#include "simulator/dram/synthetic_load.h"

#include <random>
#include <unordered_map>
#include <vector>

namespace nplab::simulator::dram {
namespace {

class ClosedLoop {
 public:
  ClosedLoop(DramMemory& memory, const SyntheticLoad& load)
      : memory_(memory), load_(load), random_(load.seed), done_(kHorizon) {}

  LoadResult run(unsigned fifteenths) {
    draw();
    Clock begin = 0;
    ControllerCounters before;
    for (; finished_ < load_.warm_up + load_.requests; ++now_) {
      if (finished_ >= load_.warm_up && begin == 0) {
        begin = now_;
        before = memory_.counters();
        counted_from_ = finished_;
        reads_ = 0;
        latency_ = 0;
      }
      std::vector<std::uint64_t>& done = done_[now_ % kHorizon];
      in_flight_ -= static_cast<unsigned>(done.size());
      finished_ += done.size();
      done.clear();
      issue();
      memory_.run(now_ + 1, [this](const ServedRequest& served) {
        if (served.is_write)
          return;
        finish(served.end);
        latency_ += static_cast<double>(served.end - arrivals_.at(served.tag));
        ++reads_;
        arrivals_.erase(served.tag);
      });
    }
    return result(now_ - begin, before, fifteenths);
  }

 private:
  static constexpr std::size_t kHorizon = 128;  // more clocks than from a command to its data

  void draw() {
    is_write_ = random_() % 100 < load_.write_percent;
    burst_ = random_() % 100 < load_.sequential_percent ? burst_ + 1 : random_();
    burst_ %= memory_.mapping().bursts();
  }
  void finish(Clock at) { done_[static_cast<std::size_t>(at) % kHorizon].push_back(0); }

  void issue() {
    if (in_flight_ >= load_.in_flight || !memory_.has_room(burst_, is_write_))
      return;
    ++in_flight_;
    const std::uint64_t tag = next_tag_++;
    const auto added = memory_.add(tag, burst_, is_write_, now_);
    if (is_write_ || added == Controller::Added::kFromWriteQueue)
      finish(now_ + 1);
    else
      arrivals_[tag] = now_;
    draw();
  }

  LoadResult result(Clock clocks, const ControllerCounters& before, unsigned fifteenths) {
    const ControllerCounters after = memory_.counters();
    const DramDescription& description = memory_.description();
    const auto spent = static_cast<double>(clocks);
    const double channels = description.organization.channels;
    const double burst = description.timing.burst;
    LoadResult result;
    result.clocks = static_cast<std::uint64_t>(clocks);
    result.requests = finished_ - counted_from_;
    const auto requests = static_cast<double>(result.requests);
    result.peak_percent = 100 * requests * burst / spent / channels;
    result.bus_percent =
        100 * static_cast<double>(after.data_clocks - before.data_clocks) / spent / channels;
    const auto bursts =
        static_cast<double>(after.reads + after.writes - before.reads - before.writes);
    result.row_hit_percent =
        bursts == 0 ? 0 : 100 * static_cast<double>(after.row_hits - before.row_hits) / bursts;
    result.read_latency_clocks = reads_ == 0 ? 0 : latency_ / static_cast<double>(reads_);
    const double megahertz = fifteenths * 1000.0 / 15;
    result.megarequests_per_s = requests / spent * megahertz;
    result.gigabytes_per_s = result.megarequests_per_s * kBurstBytes / 1000;
    return result;
  }

  DramMemory& memory_;
  const SyntheticLoad& load_;
  std::mt19937_64 random_;
  std::vector<std::vector<std::uint64_t>> done_;  // by clock
  std::unordered_map<std::uint64_t, Clock> arrivals_;
  Clock now_ = 0;
  unsigned in_flight_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t counted_from_ = 0;
  std::uint64_t next_tag_ = 0;
  bool is_write_ = false;
  std::uint64_t burst_ = 0;
  std::uint64_t reads_ = 0;
  double latency_ = 0;
};

}  // namespace

LoadResult run_load(DramMemory& memory, const SyntheticLoad& load, unsigned fifteenths) {
  return ClosedLoop(memory, load).run(fifteenths);
}

}  // namespace nplab::simulator::dram
