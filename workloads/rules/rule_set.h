// Rule sets: an ordered list of rules over named header fields. The first rule that matches
// decides.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/base/field.h"
#include "workloads/rules/interfaces.h"

namespace nplab::workloads {

// A rule's position in its set, from 0; the lower, the higher its priority.
class RuleIndex {
 public:
  explicit constexpr RuleIndex(std::uint32_t value) : value_(value) {}
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  friend constexpr auto operator<=>(RuleIndex, RuleIndex) = default;

 private:
  std::uint32_t value_;
};

// What happens to a packet that a rule matches.
class Action {
 public:
  enum class Kind { kAllow, kDeny, kForward };

  static Action allow() { return Action(Kind::kAllow, 0); }
  static Action deny() { return Action(Kind::kDeny, 0); }
  static Action forward(unsigned port) { return Action(Kind::kForward, port); }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] unsigned port() const { return port_; }  // of a forward
  friend bool operator==(const Action&, const Action&) = default;

 private:
  Action(Kind kind, unsigned port) : kind_(kind), port_(port) {}
  Kind kind_;
  unsigned port_;
};

// The action a word stands for: allow, accept, permit; deny, drop, reject; `forward:N` or `forward
// N` (N 0..255). Case does not matter.
std::optional<Action> parse_action(std::string_view text);
inline constexpr const char* kActionHelp =
    "an action is allow (accept, permit), deny (drop, reject) or forward:PORT";

struct Rule {
  std::string name;           // empty when the file gives none
  std::vector<Range> ranges;  // one a field, in the set's order of fields
  Action action = Action::allow();
  SourceLocation location;
};

// What a listing says beyond rules of its fields and was left out, as UnsupportedRules::kSkip asks.
struct SkippedStatements {
  std::vector<Diagnostic> statements;  // each with its reason
  std::size_t considered =
      0;  // of the chosen chain and of all that its jumps lead to, skipped or not
  // Reached only by the jump of a skipped statement, and so left out, too.
  std::size_t unreached = 0, unreached_chains = 0;
};

// An immutable rule set.
class RuleSet {
 public:
  RuleSet(std::string name, std::string sha256, std::vector<FieldDefinition> fields,
          std::vector<Rule> rules, SkippedStatements skipped = {});

  [[nodiscard]] const std::string& name() const {
    return name_;
  }  // the file's name as the user gave it
  [[nodiscard]] const std::string& sha256() const { return sha256_; }  // of the file
  [[nodiscard]] const std::vector<FieldDefinition>& fields() const { return fields_; }
  [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }
  [[nodiscard]] const Rule& rule(RuleIndex index) const { return rules_.at(index.value()); }
  [[nodiscard]] std::size_t size() const { return rules_.size(); }
  [[nodiscard]] const SkippedStatements& skipped() const { return skipped_; }

 private:
  std::string name_;
  std::string sha256_;
  std::vector<FieldDefinition> fields_;
  std::vector<Rule> rules_;
  SkippedStatements skipped_;
};

// What becomes of a statement in a firewall's listing that is no match of the 5-tuple: an
// interface, a connection's state, a rate.
enum class UnsupportedRules { kRefuse, kSkip };

struct RuleReading {
  UnsupportedRules unsupported = UnsupportedRules::kRefuse;
  // Of a listing with several chains or access lists: `NAME` or `TABLE/NAME`.
  std::optional<std::string> chain = {};
  PacketInterfaces interfaces = {};  // decides matches of the interfaces that it names
};

// Reads a rule set, its notation told by its content: ClassBench lines (some line begins with `@`),
// openflow sets (the first line is a comment that names the fields as `name:bits` and E, P or R),
// listings of iptables-save, of `nft -j list ruleset` and of Cisco access lists, otherwise YAML.
// All errors of the file are reported at once (the first 50), each at its line and column; then
// nothing is returned.
std::optional<RuleSet> parse_rule_set(const InputFile& file, const RuleReading& reading,
                                      Diagnostics& diagnostics);
std::optional<RuleSet> read_rule_set(const std::string& path, const RuleReading& reading,
                                     Diagnostics& diagnostics);
std::optional<RuleSet> parse_rule_set(const InputFile& file, Diagnostics& diagnostics);
std::optional<RuleSet> read_rule_set(const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab::workloads
