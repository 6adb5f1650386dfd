// What the tests of the match engine share: small units, lists of requests, accounts of results.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "simulator/match_engine/match_engine.h"

namespace nplab::test {

using namespace simulator::match;
using isa::match::Collisions;
using isa::match::Key;
using isa::match::LookupProgram;
using isa::match::masked;
using isa::match::TableImage;
using isa::match::TupleId;
using simulator::Cycle;
using simulator::Cycles;
using simulator::StateHash;

inline MatchDescription published_unit() {
  MatchDescription description;
  description.dram.timing = simulator::dram::timing_of(
      simulator::dram::Speed::k2666, simulator::dram::Density::k8Gb, simulator::dram::Width::kX8);
  return description;
}

// One table, one tuple that looks at all fields.
inline LookupProgram exact_match() {
  LookupProgram program;
  program.tuples.push_back({{~0u, ~0u, ~0u, ~0u, ~0u, ~0u}, 1});
  program.tables.push_back({{1}, 0});
  return program;
}

inline Key key_of(std::uint32_t number) {
  return {number, 0, 0, 0, 0, 0};
}

inline Entry rule_of(std::uint32_t number, std::uint32_t action, TupleId tuple = 1,
                     std::uint32_t priority = 1) {
  Entry rule;
  rule.key = key_of(number);
  rule.tuple = tuple;
  rule.action = action;
  rule.priority = priority;
  return rule;
}

// A list of requests, each with the cycle in which it is there.
class RequestList final : public RequestSource {
 public:
  void add(Request request, Cycle at = Cycle()) { requests_.push_back({std::move(request), at}); }
  void add_lookup(std::uint32_t number, std::uint32_t bytes = 64, Cycle at = Cycle()) {
    Request request;
    request.number = next_number_++;
    request.rule.key = key_of(number);
    request.bytes = bytes;
    add(request, at);
  }
  void add_update(RequestKind kind, const Entry& rule, Cycle at = Cycle()) {
    Request request;
    request.kind = kind;
    request.number = next_number_++;
    request.rule = rule;
    add(request, at);
  }
  [[nodiscard]] Cycle next() const override {
    return requests_.empty() ? Cycle::never() : requests_.front().second;
  }
  [[nodiscard]] const Request& front() const override { return requests_.front().first; }
  void pop() override { requests_.pop_front(); }

 private:
  std::deque<std::pair<Request, Cycle>> requests_;
  std::uint64_t next_number_ = 0;
};

class ResultList final : public ResultSink {
 public:
  void finished(const Result& result) override { results.push_back(result); }
  // Of the request with this number and kind.
  [[nodiscard]] const Result& of(std::uint64_t number) const {
    return *std::find_if(results.begin(), results.end(),
                         [number](const Result& result) { return result.number == number; });
  }
  std::vector<Result> results;
};

// Runs until no request is left and nothing is under way; false: it did not end.
inline bool run_to_end(MatchEngine& engine, Cycle most = Cycle(2'000'000)) {
  const auto is_over = [&engine] {
    return engine.is_idle() && engine.input().next_request() == Cycle::never();
  };
  while (!is_over() && engine.now() < most)
    engine.run(engine.now() + 64);
  return is_over();
}

// A unit of any shape, with few lines and short queues as often as not.
inline MatchDescription random_unit(std::mt19937_64& random) {
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  MatchDescription unit = published_unit();
  unit.clock_hz = 1'000'000ull * between(100, 900);
  unit.sessions = between(1, 48);
  unit.hash_latency = between(1, 6);
  unit.load_queue = between(1, 12);
  unit.store_queue = between(1, 6);
  unit.stale_reads = static_cast<StaleReads>(between(0, 1));
  unit.state = static_cast<StateIn>(between(0, 3) / 3);
  unit.cache.ways = 1u << between(0, 2);
  unit.cache.lines = between(0, 3) == 0 ? 0 : unit.cache.ways << between(0, 3);
  unit.cache.read_latency = between(1, 8);
  unit.cache.write_latency = between(1, 8);
  unit.cache.allocation = static_cast<Allocation>(between(0, 1));
  unit.interconnect_latency = between(0, 4);
  unit.dram.organization.channels = 1u << between(0, 2);
  unit.dram.controller.window = between(1, 8);
  unit.dram.controller.write_queue = between(1, 8);
  unit.dram.controller.write_high = between(1, unit.dram.controller.write_queue);
  unit.dram.controller.write_idle = between(1, unit.dram.controller.write_high);
  return unit;
}

}  // namespace nplab::test
