// The tables of recursive flow classification, before they have places.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/rules/rule_set.h"

namespace nplab::mappings::rfc {

// A set of boxes (below): box i is bit i % 64 of word i / 64.
using BoxSet = std::vector<std::uint64_t>;

// Values, or combinations of classes, that the same boxes contain are one class.
struct Classes {
  std::vector<std::uint32_t>
      class_of;               // by value or combination, the first part's class weighs most
  std::vector<BoxSet> boxes;  // by class
};

// Bits of a field that one table of phase 0 looks at.
struct Chunk {
  std::size_t field = 0;
  unsigned shift = 0;
  unsigned bits = 0;
};

// Which chunks form a group, and which groups a pair (layout.h).
struct Plan {
  std::vector<Chunk> chunks;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::vector<std::size_t>> pairs;
};

Plan make_plan(const std::vector<workloads::FieldDefinition>& fields, unsigned phases);

struct Reduction {
  std::vector<Classes> chunks;
  std::vector<Classes> groups;
  std::vector<Classes> pairs;          // empty with 3 phases: the groups are combined at once
  std::vector<std::uint32_t> matches;  // by combination: index of the first matching rule, NO_MATCH
};

struct ReductionLimits {
  std::uint64_t most_entries = 0;  // of all tables together
};

// Why there are no tables.
struct Excess {
  enum class Cause {
    kEntries,  // a table would have more entries than are left
    kMemory    // its classes' sets fill the memory that building may use
  };
  Cause cause = Cause::kEntries;
  unsigned phase = 0;                // of that table
  std::vector<std::size_t> classes;  // of the parts that it combines; none in phase 0
};

// Gupta and McKeown, "Packet classification on multiple fields", SIGCOMM 1999. A range of a long
// field is no product of ranges of its two chunks, unless it is a prefix: it is divided into at
// most three that are, and the rule into as many boxes. Nothing, and `excess`, if the tables have
// more entries than allowed.
std::optional<Reduction> reduce(const workloads::RuleSet& rules, unsigned phases,
                                const ReductionLimits& limits, Excess& excess);

}  // namespace nplab::mappings::rfc
