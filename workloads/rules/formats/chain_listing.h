// A firewall's listing: chains of statements that accept, drop, jump and return; and the one list
// of rules, first match first, that a chain comes to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/base/text_lines.h"
#include "workloads/rules/header_set.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// What a listing says that no rule of the 5-tuple can: each an error, or left out and remembered,
// as asked.
class UnsupportedStatements {
 public:
  UnsupportedStatements(UnsupportedRules choice, FileErrors& errors)
      : choice_(choice), errors_(errors) {}

  void add(const SourceLocation& location, const std::string& what);
  [[nodiscard]] std::vector<Diagnostic> take_skipped() && { return std::move(skipped_); }

 private:
  UnsupportedRules choice_;
  FileErrors& errors_;
  std::vector<Diagnostic> skipped_;
};

struct ChainVerdict {
  enum class Kind {
    kNone,  // counted, logged: the packet goes on to the next statement
    kDecide,
    kJump,  // after the target's end the packet goes on here
    kGoTo,  // after the target's end the packet goes on where this chain was jumped to from
    kLeave,
  };
  Kind kind = Kind::kNone;
  Action action = Action::allow();  // of decide
  std::string target;               // of jump and go_to
};

struct ChainStatement {
  std::vector<HeaderSet> matches;  // the union of them
  ChainVerdict verdict;
  std::string name;  // a comment, when there is one
  SourceLocation location;
  std::optional<Diagnostic> unsupported;  // then nothing else of it counts
};

struct FilterChain {
  std::string table;
  std::string name;
  std::optional<Action> policy;  // of a base chain
  bool filters = true;           // not one that translates addresses or the like
  bool forwards = false;         // sees forwarded packets
  SourceLocation location;
  std::vector<ChainStatement> statements;
};

// The rules that a chain of the listing comes to. The chain is the one that `reading` names; else
// the one for forwarded packets if it has statements; else the only base chain of a filter that has
// some. What leaves no choice is an error. Chains that it jumps to stand in its place, restricted
// to what jumps there; what returns is taken out of what stays; the policy is the last rule. A
// statement becomes several rules where it matches no single box. Chains that jump in a circle or
// nest deeper than kMostNestedChains, a chain without rules and listings that expand to more than
// kMostRules rules or take more than kMostSetOperations to expand are errors, as are those that
// `errors` holds already: then nothing is returned.
inline constexpr std::size_t kMostRules = 1'000'000;
inline constexpr std::size_t kMostNestedChains = 1'000;
inline constexpr std::size_t kMostSetOperations = 5'000'000;
std::optional<RuleSet> rule_set_of_listing(const InputFile& file,
                                           const std::vector<FilterChain>& chains,
                                           const RuleReading& reading, FileErrors& errors);

}  // namespace nplab::workloads
