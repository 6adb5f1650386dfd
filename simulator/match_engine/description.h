// The parameters of a match unit. What print gives is marked [P] with its condition in
// docs/match-engine.md, the rest [C] is our choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/match/table_image.h"
#include "simulator/base/time.h"
#include "simulator/dram/dram_memory.h"
#include "simulator/parameters/cache_choices.h"

namespace nplab::simulator::match {

// Where counters and time stamps are; the default first.
enum class StateIn : std::uint8_t {
  kEntries,  // [P] with their rules in DRAM: a match changes the line
  kChip,     // beside the engine: only rule updates change lines
};
std::vector<std::string> choice_words(StateIn state);

// Which lines that came from memory enter the cache; the default first.
enum class Allocation : std::uint8_t {
  kEvery,    // [C: what "write-allocate" means of an ordinary cache]
  kWritten,  // those that were changed
};
std::vector<std::string> choice_words(Allocation allocation);

// What happens to reads of a line that wait while the line is written; the default first.
enum class StaleReads : std::uint8_t {
  kCancelled,  // [P] they get the written line, and memory is not asked if it was not yet
  kRepeated,   // they are looked up again when memory has answered
};
std::vector<std::string> choice_words(StaleReads reads);

struct MatchCacheDescription {
  unsigned lines = 16'384;                                     // [P]; 0: no cache
  unsigned ways = 4;                                           // [P]
  CacheReplacement replacement = CacheReplacement::kTreePlru;  // [P]
  Cycles read_latency = 5;                                     // [P] "latency of 4 and 5"
  Cycles write_latency = 4;                                    // [P]
  Allocation allocation{};
};

struct MatchDescription {
  std::uint64_t clock_hz = 300'000'000;  // [P]
  unsigned sessions = 256;               // [C] lookups under way, each with a tag
  Cycles hash_latency = 4;               // [C]
  unsigned load_queue = 64;              // [P]
  unsigned store_queue = 64;             // [P]
  StaleReads stale_reads{};
  StateIn state{};
  isa::match::Collisions collisions{};
  MatchCacheDescription cache;
  Cycles interconnect_latency = 2;  // [C] from memory's last data to the load queue
  dram::DramDescription dram;
  unsigned dram_fifteenths = 20;  // of a GHz: the memory's clock; 20 is a period of 0.75 ns [P]
};

// Of the action pipeline [P]: receive, compare, update, write, three of forwarding, confirm.
inline constexpr unsigned kActionStages = 8;

}  // namespace nplab::simulator::match
