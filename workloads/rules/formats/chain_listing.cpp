#include "workloads/rules/formats/chain_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace nplab::workloads {
namespace {

using Headers = std::vector<HeaderSet>;

// Chains by table and name.
class ChainIndex {
 public:
  explicit ChainIndex(const std::vector<FilterChain>& chains) {
    for (const FilterChain& chain : chains)
      chains_.try_emplace({chain.table, chain.name}, &chain);
  }
  // Null when the table has no such chain.
  [[nodiscard]] const FilterChain* find(const std::string& table, const std::string& name) const {
    const auto at = chains_.find({table, name});
    return at == chains_.end() ? nullptr : at->second;
  }
  // The chain that the statement of `from` jumps or goes to; null when it does neither.
  [[nodiscard]] const FilterChain* target(const FilterChain& from,
                                          const ChainStatement& statement) const {
    using Kind = ChainVerdict::Kind;
    const ChainVerdict& verdict = statement.verdict;
    const bool leads_on = verdict.kind == Kind::kJump || verdict.kind == Kind::kGoTo;
    return leads_on ? find(from.table, verdict.target) : nullptr;
  }

 private:
  std::map<std::pair<std::string, std::string>, const FilterChain*> chains_;
};

// All chains that jumps lead to from `base`, itself included.
std::set<const FilterChain*> reachable(const FilterChain& base, const ChainIndex& index,
                                       UnsupportedRules follow_unsupported) {
  std::set<const FilterChain*> reached = {&base};
  for (std::vector<const FilterChain*> open = {&base}; !open.empty();) {
    const FilterChain& from = *open.back();
    open.pop_back();
    for (const ChainStatement& statement : from.statements) {
      if (statement.unsupported && follow_unsupported == UnsupportedRules::kSkip)
        continue;
      const FilterChain* target = index.target(from, statement);
      if (target != nullptr && reached.insert(target).second)
        open.push_back(target);
    }
  }
  return reached;
}

SkippedStatements skipped_statements(const FilterChain& base, const ChainIndex& index,
                                     std::vector<Diagnostic> statements) {
  SkippedStatements skipped;
  skipped.statements = std::move(statements);
  const auto read = reachable(base, index, UnsupportedRules::kSkip);
  for (const FilterChain* chain : reachable(base, index, UnsupportedRules::kRefuse)) {
    skipped.considered += chain->statements.size();
    if (!read.contains(chain)) {
      skipped.unreached += chain->statements.size();
      ++skipped.unreached_chains;
    }
  }
  return skipped;
}

class ChainFlattener {
 public:
  ChainFlattener(const ChainIndex& chains, UnsupportedStatements& unsupported, FileErrors& errors)
      : chains_(chains), unsupported_(unsupported), errors_(errors) {}

  std::vector<Rule> flatten(const FilterChain& base) {
    walk(base, {HeaderSet()});
    if (base.policy) {
      ChainStatement policy;
      policy.name = fmt::format("policy of {}", base.name);
      policy.location = base.location;
      emit({HeaderSet()}, policy, *base.policy);
    }
    return std::move(rules_);
  }

 private:
  // Appends the rules of `chain` for the packets of `here`.
  void walk(const FilterChain& chain, Headers here) {
    active_.insert(&chain);
    for (const ChainStatement& statement : chain.statements) {
      if (here.empty() || stopped_)
        break;
      if (statement.unsupported) {
        if (said_.insert(&statement).second) {
          unsupported_.add(statement.unsupported->location, statement.unsupported->message);
        }
        continue;
      }
      here = follow(chain, statement, std::move(here));
    }
    active_.erase(&chain);
  }

  // What of `here` goes on to the chain's next statement.
  Headers follow(const FilterChain& chain, const ChainStatement& statement, Headers here) {
    using Kind = ChainVerdict::Kind;
    set_operations_ += here.size() * std::max<std::size_t>(1, statement.matches.size());
    if (set_operations_ > kMostSetOperations)
      fail(statement,
           "up to here the listing takes too many jumps, lists and returns to expand; "
           "choose a chain with fewer of them (--chain)");
    const Headers reached = intersection(here, statement.matches);
    if (reached.empty())
      return here;
    switch (statement.verdict.kind) {
      case Kind::kNone: return here;
      case Kind::kDecide: emit(reached, statement, statement.verdict.action); return here;
      case Kind::kJump: enter(chain, statement, reached); return here;
      case Kind::kGoTo: enter(chain, statement, reached); break;
      case Kind::kLeave: break;
    }
    // A base chain has nowhere to return to: its policy decides.
    if (active_.size() == 1 && chain.policy) {
      emit(reached, statement, *chain.policy);
      return here;
    }
    Headers rest = difference(here, statement.matches);
    if (rest.size() > kMostRules)
      overflow(statement);
    return rest;
  }

  void enter(const FilterChain& from, const ChainStatement& statement, const Headers& reached) {
    const std::string& target = statement.verdict.target;
    const FilterChain* chain = chains_.target(from, statement);
    if (chain == nullptr) {
      fail(statement, fmt::format("jumps to '{}', which is neither a chain of table '{}' nor a "
                                  "target that decides (ACCEPT, DROP, REJECT)",
                                  target, from.table));
    } else if (active_.contains(chain)) {
      fail(statement,
           fmt::format("jumps to '{}' from within it: chains must not form a cycle", target));
    } else if (active_.size() == kMostNestedChains) {
      fail(statement, fmt::format("jumps to '{}' from a chain that is nested {} deep, the limit",
                                  target, kMostNestedChains));
    } else {
      walk(*chain, reached);
    }
  }

  void emit(const Headers& headers, const ChainStatement& statement, Action action) {
    const Rule model{statement.name, {}, action, statement.location};
    for (const HeaderSet& set : headers) {
      if (rules_.size() + set.rule_count() > kMostRules)
        return overflow(statement);
      set.append_rules(model, rules_);
    }
  }

  void overflow(const ChainStatement& statement) {
    fail(statement, fmt::format("up to here the listing expands to more than {} rules of single "
                                "prefixes and ranges; use fewer lists, negations and returns",
                                kMostRules));
  }

  // The first failure is reported and ends the expansion.
  void fail(const ChainStatement& statement, std::string message) {
    if (!stopped_)
      errors_.at(statement.location.line, statement.location.column, std::move(message));
    stopped_ = true;
  }

  const ChainIndex& chains_;
  UnsupportedStatements& unsupported_;
  FileErrors& errors_;
  std::set<const FilterChain*> active_;
  std::set<const ChainStatement*> said_;
  std::vector<Rule> rules_;
  std::size_t set_operations_ = 0;
  bool stopped_ = false;  // an error is reported; nothing more is made
};

std::string full_name(const FilterChain& chain) {
  return chain.table.empty() ? chain.name : chain.table + "/" + chain.name;
}

// `NAME`, `TABLE/NAME` or, of nft, `FAMILY/TABLE/NAME`.
bool is_named(const FilterChain& chain, const std::string& wanted) {
  const std::string full = full_name(chain);
  return chain.name == wanted || full == wanted ||
         (wanted.find('/') != std::string::npos && full.ends_with("/" + wanted));
}

std::string names_of(const std::vector<const FilterChain*>& chains) {
  std::vector<std::string> names;
  for (const FilterChain* chain : chains)
    names.push_back(full_name(*chain));
  return fmt::format("{}", fmt::join(names, ", "));
}

const FilterChain* choose_chain(const std::vector<FilterChain>& chains,
                                const std::optional<std::string>& wanted, FileErrors& errors) {
  std::vector<const FilterChain*> candidates, all;
  for (const FilterChain& chain : chains) {
    all.push_back(&chain);
    if (wanted ? is_named(chain, *wanted)
               : chain.policy && chain.filters && !chain.statements.empty()) {
      candidates.push_back(&chain);
    }
  }
  std::vector<const FilterChain*> forwarding;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(forwarding),
               [&](const FilterChain* chain) { return !wanted && chain->forwards; });
  if (forwarding.size() == 1)
    return forwarding.front();
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty() && wanted) {
    errors.at(0, 0, fmt::format("has no chain '{}'; its chains are {}", *wanted, names_of(all)));
  } else if (candidates.empty()) {
    errors.at(0, 0, "has no base chain of a filter that contains rules");
  } else {
    errors.at(0, 0,
              fmt::format("has rules in several chains; choose with --chain one of {}",
                          names_of(candidates)));
  }
  return nullptr;
}

}  // namespace

void UnsupportedStatements::add(const SourceLocation& location, const std::string& what) {
  if (choice_ == UnsupportedRules::kSkip) {
    skipped_.push_back({location, what});
  } else {
    errors_.at(location.line, location.column,
               what + "; --unsupported skip ignores such statements");
  }
}

std::optional<RuleSet> rule_set_of_listing(const InputFile& file,
                                           const std::vector<FilterChain>& chains,
                                           const RuleReading& reading, FileErrors& errors) {
  if (errors.any())
    return std::nullopt;
  const FilterChain* base = choose_chain(chains, reading.chain, errors);
  if (base == nullptr)
    return std::nullopt;
  UnsupportedStatements unsupported(reading.unsupported, errors);
  const ChainIndex index(chains);
  auto rules = ChainFlattener(index, unsupported, errors).flatten(*base);
  if (!errors.any() && rules.empty())
    errors.at(base->location.line, base->location.column, "the chain holds no rules");
  if (errors.any())
    return std::nullopt;
  return RuleSet(file.name, file.sha256, five_tuple_fields(), std::move(rules),
                 skipped_statements(*base, index, std::move(unsupported).take_skipped()));
}

}  // namespace nplab::workloads
