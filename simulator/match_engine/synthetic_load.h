// A match unit under a load of packets of many flows: how many of them it looks up per second. The
// sender always has the next packet, so the unit is saturated. Flows are five-tuples drawn at
// random, with a rule each in every table that is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulator/match_engine/match_engine.h"

namespace nplab::simulator::match {

struct MatchLoad {
  std::uint64_t flows = 1'000;
  // Of Zipf's law: the n-th flow has a share proportional to 1 / n^exponent; 0: all have the same.
  double zipf_exponent = 0;
  unsigned tuples = 1;  // that a lookup searches; its rule is in the last one
  // Of the requests that are rule updates, on rules of their own: inserts and, after the first
  // thousands, deletes in turn.
  unsigned update_percent = 0;
  std::uint64_t slots = std::uint64_t{1} << 27;  // of the tables, a power of two
  std::uint64_t seed = 1;
  std::uint64_t warm_up = 100'000;  // requests before anything is counted
  std::uint64_t packets = 200'000;  // requests that are counted
};

struct MatchLoadResult {
  std::uint64_t cycles = 0;
  std::uint64_t lookups = 0;  // finished, those of updates not counted
  std::uint64_t updates = 0;
  double megapackets_per_s = 0;
  double megarequests_per_s = 0;  // with updates
  double miss_percent = 0;        // of the look-ups in the cache
  double latency_cycles = 0;      // mean of a lookup
  double dram_percent_of_peak = 0;
  double load_queue_places = 0;  // mean
  double store_queue_places = 0;
  double references_per_lookup = 0;
  std::uint64_t reads = 0;  // of DRAM
  std::uint64_t writes = 0;
  std::uint64_t merged = 0;
  std::uint64_t cancelled = 0;      // reads, before memory was asked
  std::uint64_t dropped = 0;        // ... and after
  std::uint64_t refused_rules = 0;  // when the tables were built: their place was taken
  // Whether every count, byte and time stamp is what the packets that were sent come to.
  bool is_exact = false;
  std::vector<std::string> waiting;  // what waits for what, of a unit that hangs; else nothing
};

// `progress` is notified of the share of the requests that have ended.
MatchLoadResult run_load(
    const MatchDescription& description, const MatchLoad& load,
    const std::function<void(double done)>& progress = [](double) {});

// The share of the packets of so many uniform flows that miss: of the flows for which a cache that
// keeps any `lines` of them has no line ...
double miss_share(std::uint64_t flows, unsigned lines);
// ... and where a hash gives each flow one of lines / ways sets, whose flows are Poisson
// distributed; a set of n flows keeps `ways` of them.
double miss_share_of_sets(std::uint64_t flows, unsigned lines, unsigned ways);

// The rate that the memory allows if every miss moves a line in and a line out, in millions per
// second: at most the clock. `megapairs`: pairs of a random read and a random write per second that
// a channel moves.
double analytic_rate(const MatchDescription& description, double misses, double megapairs);

// The same for what requests moved in a run: `references` look-ups and `bursts` of memory each.
double traffic_bound(const MatchDescription& description, double references, double bursts,
                     double megapairs);

}  // namespace nplab::simulator::match
