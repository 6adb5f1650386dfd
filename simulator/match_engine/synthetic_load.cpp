#include "simulator/match_engine/synthetic_load.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <utility>

namespace nplab::simulator::match {
namespace {

using isa::match::Key;
using isa::match::masked;
using isa::match::TupleId;

// Four words of a five-tuple; the last two are not used.
constexpr Key kFiveTuple = {~0u, ~0u, ~0u, 0xff};

// Tuples that differ in their masks: the n-th ignores the lowest n bits of the source address.
isa::match::LookupProgram program_of(unsigned tuples) {
  isa::match::LookupProgram program;
  isa::match::Table table;
  for (unsigned i = 0; i < tuples; ++i) {
    Key mask = kFiveTuple;
    mask[0] = ~0u << i;
    program.tuples.push_back({mask, tuples - i});
    table.tuples.push_back(static_cast<TupleId>(i + 1));
  }
  program.tables.push_back(table);
  return program;
}

class Flows {
 public:
  explicit Flows(const MatchLoad& load) : random_(load.seed), count_(load.flows) {
    for (std::uint64_t flow = 0; flow < count_; ++flow)
      keys_.push_back(draw_key());
    if (load.zipf_exponent == 0)
      return;
    double sum = 0;
    for (std::uint64_t flow = 1; flow <= count_; ++flow)
      shares_.push_back(sum += std::pow(static_cast<double>(flow), -load.zipf_exponent));
  }
  Key draw_key() {
    return {static_cast<std::uint32_t>(random_()), static_cast<std::uint32_t>(random_()),
            static_cast<std::uint32_t>(random_()), static_cast<std::uint32_t>(random_() & 0xff)};
  }
  std::uint64_t draw_flow() {
    if (shares_.empty())
      return random_() % count_;
    const double at = static_cast<double>(random_() >> 11) * 0x1p-53 * shares_.back();
    return static_cast<std::uint64_t>(std::upper_bound(shares_.begin(), shares_.end(), at) -
                                      shares_.begin());
  }
  std::uint64_t draw(std::uint64_t below) { return random_() % below; }
  [[nodiscard]] const Key& key(std::uint64_t flow) const { return keys_[flow]; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::mt19937_64 random_;
  std::uint64_t count_;
  std::vector<Key> keys_;
  std::vector<double> shares_;  // sums
};

// What a flow's rule must come to.
struct State {
  bool has_rule = false;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last_seen = 0;
};

// Sends requests without end, and keeps accounts of what comes back.
class Sender final : public RequestSource, public ResultSink {
 public:
  Sender(const MatchLoad& load, Flows& flows, std::vector<State>& expected, TupleId last_tuple)
      : load_(load), flows_(flows), expected_(expected), last_tuple_(last_tuple) {
    draw();
  }
  [[nodiscard]] Cycle next() const override { return is_over_ ? Cycle::never() : Cycle(); }
  [[nodiscard]] const Request& front() const override { return request_; }
  void pop() override { draw(); }
  void end() { is_over_ = true; }

  void finished(const Result& result) override {
    ++finished_;
    references_ += result.references;
    if (result.kind != RequestKind::kLookup) {
      ++updates_;
      return;
    }
    ++lookups_;
    latency_ += result.ended - result.begun;
    State& state = expected_[flow_of(result.number)];
    is_right_ &= (result.outcome == Outcome::kMatched) == state.has_rule;
    if (!state.has_rule)
      return;
    ++state.packets;
    state.bytes += bytes_of(result.number);
    state.last_seen = std::max(state.last_seen, result.begun.number());
  }

  [[nodiscard]] std::uint64_t all_finished() const { return finished_; }
  [[nodiscard]] std::uint64_t lookups() const { return lookups_; }
  [[nodiscard]] std::uint64_t updates() const { return updates_; }
  [[nodiscard]] std::uint64_t latency() const { return latency_; }
  [[nodiscard]] std::uint64_t references() const { return references_; }
  [[nodiscard]] bool is_right() const { return is_right_; }

 private:
  static constexpr std::size_t kRulesThere = 4'096;  // more than are under way

  // A lookup's number has its flow and its length.
  static std::uint64_t flow_of(std::uint64_t number) { return number >> 16; }
  static std::uint32_t bytes_of(std::uint64_t number) {
    return static_cast<std::uint32_t>(number & 0xffff);
  }

  void draw() {
    request_ = {};
    if (load_.update_percent != 0 && flows_.draw(100) < load_.update_percent) {
      // Rules come and go in turn; one that goes came long before, so that it is there.
      const bool comes = ruled_.size() < kRulesThere || comes_;
      request_.kind = comes ? RequestKind::kInsert : RequestKind::kErase;
      if (comes) {
        ruled_.push_back(flows_.draw_key());
        request_.rule.key = ruled_.back();
      } else {
        request_.rule.key = ruled_.front();
        ruled_.pop_front();
      }
      request_.rule.tuple = last_tuple_;
      request_.rule.priority = 1;
      comes_ = !comes;
      return;
    }
    const std::uint64_t flow = flows_.draw_flow();
    request_.kind = RequestKind::kLookup;
    request_.rule.key = flows_.key(flow);
    request_.bytes = static_cast<std::uint32_t>(64 + flows_.draw(1'455));
    request_.number = flow << 16 | request_.bytes;
  }

  const MatchLoad& load_;
  Flows& flows_;
  std::vector<State>& expected_;
  TupleId last_tuple_;
  Request request_;
  std::deque<Key> ruled_;  // of updates, the oldest first
  bool comes_ = true;
  bool is_over_ = false;
  std::uint64_t finished_ = 0;
  std::uint64_t lookups_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t latency_ = 0;
  std::uint64_t references_ = 0;
  bool is_right_ = true;
};

struct Counts {
  Cycle at;
  std::uint64_t finished = 0, lookups = 0, updates = 0, latency = 0, references = 0;
  std::uint64_t hits = 0, misses = 0, reads = 0, writes = 0, data_clocks = 0;
  std::uint64_t merged = 0, cancelled = 0, dropped = 0, load_places = 0, store_places = 0;
};

Counts counts_of(const MatchEngine& engine, const Sender& sender) {
  const auto dram = engine.memory().dram().counters();
  const LoadCounters& loads = engine.loads().counters();
  const MatchCacheCounters& cache = engine.cache().counters();
  return {engine.now(),      sender.all_finished(),
          sender.lookups(),  sender.updates(),
          sender.latency(),  sender.references(),
          cache.hits,        cache.misses,
          dram.reads,        dram.writes,
          dram.data_clocks,  loads.merged,
          loads.cancelled,   loads.dropped,
          loads.held_places, engine.stores().counters().held_places};
}

bool is_exact(const MatchEngine& engine, Flows& flows, const std::vector<State>& expected,
              TupleId tuple, const Key& mask, std::uint64_t slots) {
  for (std::uint64_t flow = 0; flow < flows.count(); ++flow) {
    if (!expected[flow].has_rule)
      continue;
    const Key key = masked(flows.key(flow), mask);
    const Entry rule = engine.rule(isa::match::home_slot(isa::match::hash_of(tuple, key), slots));
    if (!rule.holds(tuple, key) || rule.packets != expected[flow].packets ||
        rule.bytes != expected[flow].bytes || rule.last_seen != expected[flow].last_seen)
      return false;
  }
  return true;
}

// Runs the unit until `is_done`; false, and what waits for what, when it hangs.
template <class IsDone>
bool run_until(MatchEngine& engine, std::vector<std::string>& waiting, IsDone is_done) {
  constexpr Cycles kStride = 256;
  while (!is_done()) {
    engine.run(engine.now() + kStride);
    if (engine.without_progress() < kMostWithoutProgress)
      continue;
    engine.describe_waiting(waiting);
    return false;
  }
  return true;
}

}  // namespace

MatchLoadResult run_load(const MatchDescription& description, const MatchLoad& load,
                         const std::function<void(double done)>& progress) {
  const isa::match::LookupProgram program = program_of(load.tuples);
  const auto last = static_cast<TupleId>(load.tuples);
  const Key mask = program.tuple(last).mask;
  isa::match::TableImage tables({load.slots, 0}, isa::match::Collisions::kRefuse);
  tables.memory().reserve(load.flows);
  Flows flows(load);
  std::vector<State> expected(load.flows);
  for (std::uint64_t flow = 0; flow < load.flows; ++flow) {
    Entry rule;
    rule.key = masked(flows.key(flow), mask);
    rule.tuple = last;
    rule.action = static_cast<std::uint32_t>(flow);
    rule.priority = 1;
    expected[flow].has_rule = tables.insert(rule) == isa::match::Placed::kPlaced;
  }
  MatchLoadResult result;
  result.refused_rules = tables.refused();

  Sender sender(load, flows, expected, last);
  MatchEngine engine(description, program, std::move(tables), &sender, nullptr, sender);
  const auto all = static_cast<double>(load.warm_up + load.packets);
  const auto has_ended = [&](std::uint64_t requests) {
    progress(static_cast<double>(sender.all_finished()) / all);
    return sender.all_finished() >= requests;
  };
  if (!run_until(engine, result.waiting, [&] { return has_ended(load.warm_up); }))
    return result;
  const Counts before = counts_of(engine, sender);
  if (!run_until(engine, result.waiting, [&] { return has_ended(before.finished + load.packets); }))
    return result;
  const Counts after = counts_of(engine, sender);
  sender.end();
  if (!run_until(engine, result.waiting, [&engine] { return engine.is_idle(); }))
    return result;

  const auto per = [](std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  };
  const double megahertz = static_cast<double>(description.clock_hz) / 1e6;
  result.cycles = after.at - before.at;
  result.lookups = after.lookups - before.lookups;
  result.updates = after.updates - before.updates;
  result.megapackets_per_s = megahertz * per(result.lookups, result.cycles);
  result.megarequests_per_s = megahertz * per(after.finished - before.finished, result.cycles);
  const std::uint64_t misses = after.misses - before.misses;
  result.miss_percent = 100 * per(misses, misses + after.hits - before.hits);
  result.latency_cycles = per(after.latency - before.latency, result.lookups);
  result.references_per_lookup =
      per(after.references - before.references, after.finished - before.finished);
  const dram::ClockRatio& ratio = engine.memory().ratio();
  const auto clocks =
      static_cast<std::uint64_t>(ratio.first_clock(after.at) - ratio.first_clock(before.at));
  result.dram_percent_of_peak = 100 * per(after.data_clocks - before.data_clocks, clocks) /
                                description.dram.organization.channels;
  result.load_queue_places = per(after.load_places - before.load_places, result.cycles);
  result.store_queue_places = per(after.store_places - before.store_places, result.cycles);
  result.reads = after.reads - before.reads;
  result.writes = after.writes - before.writes;
  result.merged = after.merged - before.merged;
  result.cancelled = after.cancelled - before.cancelled;
  result.dropped = after.dropped - before.dropped;
  result.is_exact = sender.is_right() && is_exact(engine, flows, expected, last, mask, load.slots);
  return result;
}

double miss_share(std::uint64_t flows, unsigned lines) {
  return std::max(0.0, 1 - static_cast<double>(lines) / static_cast<double>(flows));
}

// E[max(0, n - ways)] / E[n] = (mean - ways + sum over n < ways of (ways - n) P(n)) / mean.
double miss_share_of_sets(std::uint64_t flows, unsigned lines, unsigned ways) {
  if (lines == 0)
    return 1;
  const double mean = static_cast<double>(flows) * ways / lines;
  double probability = std::exp(-mean);
  double beyond = mean - ways;
  for (unsigned n = 0; n < ways; ++n) {
    beyond += (ways - n) * probability;
    probability *= mean / (n + 1);
  }
  return std::max(0.0, beyond / mean);
}

double analytic_rate(const MatchDescription& description, double misses, double megapairs) {
  const double clock = static_cast<double>(description.clock_hz) / 1e6;
  const double all_channels = description.dram.organization.channels * megapairs;
  return misses <= 0 ? clock : std::min(clock, all_channels / misses);
}

double traffic_bound(const MatchDescription& description, double references, double bursts,
                     double megapairs) {
  const double clock = static_cast<double>(description.clock_hz) / 1e6;
  return std::min(clock / references, analytic_rate(description, bursts / 2, megapairs));
}

}  // namespace nplab::simulator::match
