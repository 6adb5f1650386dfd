// Listings of nftables: the JSON of `nft -j list ruleset` (libnftables-json(5)).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "workloads/rules/formats/chain_listing.h"
#include "workloads/rules/formats/nftables_match.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

// Families whose chains see IPv4 packets.
constexpr std::array<std::string_view, 4> kIpv4Families = {"ip", "inet", "bridge", "netdev"};
// Statements that let a packet go on and change nothing that a later statement could match on.
constexpr std::array<std::string_view, 4> kObserving = {"counter", "log", "comment", "xt-comment"};

class NftablesReader {
 public:
  NftablesReader(const JsonValue& objects, const PacketInterfaces& interfaces, FileErrors& errors)
      : objects_(objects), interfaces_(interfaces), errors_(errors) {}

  std::vector<FilterChain> read() {
    for (const JsonValue& object : objects_.items()) {
      if (const JsonValue* chain = object.only("chain"))
        read_chain(*chain);
      for (const char* kind : {"set", "map"}) {
        const JsonValue* set = object.only(kind);
        if (set != nullptr)
          sets_[table_of(*set)][set->text_of("name")] = set;
      }
    }
    for (const JsonValue& object : objects_.items()) {
      if (const JsonValue* rule = object.only("rule"))
        read_rule(*rule);
    }
    return std::move(chains_);
  }

 private:
  static std::string table_of(const JsonValue& object) {
    return fmt::format("{}/{}", object.text_of("family"), object.text_of("table"));
  }
  void malformed(const JsonValue& at, std::string message) {
    errors_.at(at.location().line, at.location().column, std::move(message));
  }

  void read_chain(const JsonValue& node) {
    const std::string family = node.text_of("family");
    if (std::find(kIpv4Families.begin(), kIpv4Families.end(), family) == kIpv4Families.end())
      return;
    FilterChain chain;
    chain.table = table_of(node);
    chain.name = node.text_of("name");
    chain.filters = node.text_of("type") == "filter";
    chain.forwards = chain.filters && node.text_of("hook") == "forward";
    chain.location = node.location();
    if (node.find("hook") != nullptr) {
      chain.policy = node.text_of("policy") == "drop" ? Action::deny() : Action::allow();
    }
    places_.try_emplace({chain.table, chain.name}, chains_.size());
    chains_.push_back(std::move(chain));
  }

  void read_rule(const JsonValue& rule) {
    const auto place = places_.find({table_of(rule), rule.text_of("chain")});
    const JsonValue* expressions = rule.find("expr");
    if (place == places_.end() || expressions == nullptr)
      return;  // of another family, or empty
    FilterChain& chain = chains_[place->second];
    ChainStatement statement;
    statement.matches = {HeaderSet()};
    statement.name = rule.text_of("comment");
    statement.location = rule.location();
    for (const JsonValue& expression : expressions->items()) {
      if (const JsonValue* map = expression.only("vmap")) {
        return read_verdict_map(*map, table_of(rule), statement, chain);
      }
      read_expression(expression, table_of(rule), statement);
    }
    if (only_looks(*expressions))
      statement.unsupported.reset();
    chain.statements.push_back(std::move(statement));
  }

  void read_expression(const JsonValue& expression, const std::string& table,
                       ChainStatement& statement) {
    if (const JsonValue* match = expression.only("match")) {
      return narrow(statement, headers_of_match(*match, {sets_[table], interfaces_}));
    }
    const std::string name =
        expression.keys().size() == 1 ? expression.keys().front() : "this statement";
    if (std::find(kObserving.begin(), kObserving.end(), name) != kObserving.end())
      return;
    if (const auto verdict = verdict_of(expression)) {
      statement.verdict = *verdict;
    } else if (!statement.unsupported) {
      statement.unsupported = {
          expression.location(),
          fmt::format("'{}' is neither a match of the 5-tuple nor a verdict", name)};
    }
  }

  // A rule of matches, counters and logs changes nothing, whatever it matches.
  static bool only_looks(const JsonValue& expressions) {
    return std::all_of(
        expressions.items().begin(), expressions.items().end(), [](const JsonValue& expression) {
          const std::string name = expression.keys().size() == 1 ? expression.keys().front() : "";
          return name == "match" || name == "limit" ||
                 std::find(kObserving.begin(), kObserving.end(), name) != kObserving.end();
        });
  }

  void narrow(ChainStatement& statement, const NftablesHeaders& read) {
    if (const auto* headers = std::get_if<std::vector<HeaderSet>>(&read)) {
      statement.matches = intersection(statement.matches, *headers);
      return;
    }
    const auto& problem = std::get<NftablesProblem>(read);
    if (problem.kind == NftablesProblem::Kind::kMalformed) {
      errors_.at(problem.location.line, problem.location.column, problem.message);
    } else if (!statement.unsupported) {
      statement.unsupported = {problem.location, problem.message};
    }
  }

  static std::optional<ChainVerdict> verdict_of(const JsonValue& node) {
    using Kind = ChainVerdict::Kind;
    if (node.only("accept") != nullptr)
      return ChainVerdict{Kind::kDecide, Action::allow(), {}};
    if (node.only("drop") != nullptr || node.only("reject") != nullptr) {
      return ChainVerdict{Kind::kDecide, Action::deny(), {}};
    }
    if (const JsonValue* jump = node.only("jump"))
      return ChainVerdict{Kind::kJump, Action::allow(), jump->text_of("target")};
    if (const JsonValue* to = node.only("goto"))
      return ChainVerdict{Kind::kGoTo, Action::allow(), to->text_of("target")};
    if (node.only("return") != nullptr)
      return ChainVerdict{Kind::kLeave, Action::allow(), {}};
    if (node.only("continue") != nullptr)
      return ChainVerdict{};
    return std::nullopt;
  }

  // `KEY vmap {VALUE: VERDICT, ...}`: a statement for each pair.
  void read_verdict_map(const JsonValue& map, const std::string& table,
                        const ChainStatement& statement, FilterChain& chain) {
    const JsonValue* key = map.find("key");
    const JsonValue* data = map.find("data");
    if (data != nullptr && data->text().starts_with('@')) {
      const auto named = sets_[table].find(data->text().substr(1));
      data = named == sets_[table].end() ? nullptr : named->second->find("elem");
    } else if (data != nullptr) {
      data = data->only("set");
    }
    if (key == nullptr || data == nullptr)
      return malformed(map, "a verdict map needs 'key' and a set of pairs as 'data'");
    for (const JsonValue& pair : data->items()) {
      ChainStatement one = statement;
      const auto verdict = pair.items().size() == 2 ? verdict_of(pair.items()[1]) : std::nullopt;
      if (!verdict)
        return malformed(pair, "expected a pair of a value and a verdict");
      one.verdict = *verdict;
      narrow(one, headers_of(*key, pair.items()[0], {sets_[table], interfaces_}));
      const bool stays_out = one.unsupported.has_value();
      chain.statements.push_back(std::move(one));
      if (stays_out)
        return;  // the other pairs ask for the same
    }
  }

  const JsonValue& objects_;
  const PacketInterfaces& interfaces_;
  FileErrors& errors_;
  std::map<std::string, NftablesSets> sets_;  // by table
  std::vector<FilterChain> chains_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // by table and name
};

bool is_nftables_listing(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  constexpr std::size_t kHeading = 200;
  return first != std::string_view::npos && bytes[first] == '{' &&
         bytes.substr(first, kHeading).find("\"nftables\"") != std::string_view::npos;
}

std::optional<RuleSet> read_nftables_rules(const InputFile& file, const RuleReading& reading,
                                           Diagnostics& diagnostics) {
  const auto document = parse_json(file.bytes, file.name, diagnostics);
  if (!document)
    return std::nullopt;
  FileErrors errors(file.name, diagnostics);
  const JsonValue* objects = document->find("nftables");
  if (objects == nullptr || objects->kind() != JsonValue::Kind::kList) {
    errors.at(
        1, 1,
        "'nftables' must be a list of tables, chains and rules, as `nft -j list ruleset` prints");
    return std::nullopt;
  }
  const auto chains = NftablesReader(*objects, reading.interfaces, errors).read();
  return rule_set_of_listing(file, chains, reading, errors);
}

}  // namespace

// The JSON of `nft -j list ruleset`.
extern const RuleNotation kNftables{RuleNotation::Chains::kNamed, is_nftables_listing,
                                    read_nftables_rules};

}  // namespace nplab::workloads
