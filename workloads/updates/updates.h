// Rules that are inserted and deleted while packets are classified: which, and when they are due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct RuleUpdate {
  enum class Kind { kInsert, kDelete };
  Kind kind{};
  RuleIndex rule;
  std::uint64_t due = 0;  // core cycle before which it is not begun
};

// How fast the core processor is, beside its references.
struct UpdatePace {
  std::uint64_t work_cycles = 0;   // before the first reference of an update
  std::uint64_t poll_cycles = 64;  // between two looks at what the core waits for
};

struct RuleUpdates {
  std::string name;            // of the file as given, or the SPEC
  std::string sha256;          // of the file, or of the SPEC
  RuleSet rules;               // all that are in force at any time, by priority
  std::vector<bool> at_start;  // by rule: in force before the first update
  std::vector<bool> changing;  // by rule: some update names it
  std::vector<RuleUpdate>
      updates;  // to be done in this order; each inserts an absent rule or deletes a present one
  std::size_t most_in_force = 0;  // rules at any time
  UpdatePace pace;
};

inline constexpr const char* kUpdatesHelp =
    "gen:KEY=VALUE,... with\n"
    "  rate=R         updates due per second of simulated time, or max: each when the previous one "
    "is done (default max)\n"
    "  count=N        updates, inserts and deletes alternating (default 20000)\n"
    "  absent=0..1    share of the rules that are not in force at the start (default 0.1); inserts "
    "draw from the\n"
    "                 absent ones, deletes from those in force, uniformly\n"
    "  start=CYCLE    when the first is due (default 10000)\n"
    "  work=CYCLES    the core computes so long before the first reference of an update (default "
    "0)\n"
    "  poll=CYCLES    the core's polling interval while it waits (default 64)\n"
    "The seed is the workload's. In a file, a line is `CYCLE insert RULE`, `CYCLE delete RULE`, "
    "or, for a rule\n"
    "that the set does not have, `CYCLE insert NAME before RULE VALUE ... [ACTION]` with a value "
    "for every field. RULE\n"
    "is an index in the rule set, from 0, or a NAME. A rule of the set whose first update inserts "
    "it is not in force\n"
    "at the start.";

bool is_update_spec(std::string_view text);  // begins with `gen:`

// Draws updates of `rules` as `text` says. `cycles_per_second` is the core clock. Errors stand at
// `location`.
std::optional<RuleUpdates> generate_updates(std::string_view text, const RuleSet& rules,
                                            std::uint64_t seed, std::uint64_t cycles_per_second,
                                            const SourceLocation& location,
                                            Diagnostics& diagnostics);

// Reads a file of timed updates. Cycles do not decrease.
std::optional<RuleUpdates> parse_updates(const InputFile& file, const RuleSet& rules,
                                         Diagnostics& diagnostics);

// How many rules are in force at most.
std::size_t most_in_force(const std::vector<bool>& at_start,
                          const std::vector<RuleUpdate>& updates);

}  // namespace nplab::workloads
