// Listings of iptables: iptables-save(8), and the commands that `iptables -S` prints.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "workloads/rules/formats/chain_listing.h"
#include "workloads/rules/formats/iptables_match.h"
#include "workloads/rules/formats/rule_notation.h"
#include "workloads/rules/header_names.h"

namespace nplab::workloads {
namespace {

bool is_table_line(std::string_view text) {
  return text.starts_with('*') && text.size() > 1 &&
         std::islower(static_cast<unsigned char>(text[1]));
}

std::optional<Action> policy_named(std::string_view word) {
  if (word == "ACCEPT")
    return Action::allow();
  if (word == "DROP")
    return Action::deny();
  return std::nullopt;  // `-`: a user's chain, which returns
}

// Words; one in double quotes may hold blanks and, behind a backslash, quotes.
std::vector<QuotedWord> quoted_words(std::string_view text) {
  std::vector<QuotedWord> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    QuotedWord word{static_cast<int>(at) + 1, {}};
    bool quoted = false;
    for (; at < text.size() && (quoted || !is_blank(text[at])); ++at) {
      if (text[at] == '"') {
        quoted = !quoted;
      } else {
        if (text[at] == '\\' && quoted && at + 1 < text.size())
          ++at;
        word.text += text[at];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

class IptablesReader {
 public:
  IptablesReader(const InputFile& file, const PacketInterfaces& interfaces, FileErrors& errors)
      : file_(file), interfaces_(interfaces), errors_(errors) {}

  std::vector<FilterChain> read() {
    for (const Line& line : significant_lines(file_.bytes))
      read_line(line);
    return std::move(chains_);
  }

 private:
  void read_line(const Line& line) {
    auto words = quoted_words(line.text);
    if (words.front().text.starts_with('['))
      words.erase(words.begin());  // packet and byte counts
    if (words.empty())
      return;
    const std::string& first = words.front().text;
    if (is_table_line(first)) {
      table_ = first.substr(1);
    } else if (first.starts_with(':') || first == "-P") {
      read_chain(line, words, first == "-P" ? 1 : 0);
    } else if (first == "-N" || first == "--new-chain") {
      if (words.size() > 1)
        chain_named(line, words[1].text, words[1].column);
    } else if (first == "-A" || first == "--append") {
      read_statement(line, words);
    } else if (first != "COMMIT") {
      errors_.at(line.number, words.front().column,
                 fmt::format("unexpected '{}' in an iptables listing; a line is '*TABLE', ':CHAIN "
                             "POLICY', '-A CHAIN ...', 'COMMIT' or a comment",
                             first));
    }
  }

  // `:CHAIN POLICY [counts]` or `-P CHAIN POLICY`; the chain's name stands in word `at`.
  void read_chain(const Line& line, const std::vector<QuotedWord>& words, std::size_t at) {
    if (words.size() < at + 2) {
      return errors_.at(line.number, words.front().column,
                        "a chain needs a policy: ACCEPT, DROP or - (returns)");
    }
    const std::string name = at == 0 ? words[at].text.substr(1) : words[at].text;
    const std::string& policy = words[at + 1].text;
    FilterChain& chain = chain_named(line, name, words[at].column);
    chain.policy = policy_named(policy);
    if (!chain.policy && policy != "-") {
      errors_.at(
          line.number, words[at + 1].column,
          fmt::format("unknown policy '{}'; a policy is ACCEPT, DROP or - (returns)", policy));
    }
  }

  FilterChain& chain_named(const Line& line, const std::string& name, int column) {
    const auto [known, is_new] = places_.try_emplace({table_, name}, chains_.size());
    if (!is_new)
      return chains_[known->second];
    FilterChain chain;
    chain.table = table_;
    chain.name = name;
    chain.filters = table_ == "filter";
    chain.forwards = chain.filters && name == "FORWARD";
    chain.location = errors_.location(line.number, column);
    chains_.push_back(std::move(chain));
    return chains_.back();
  }

  void read_statement(const Line& line, const std::vector<QuotedWord>& words) {
    if (words.size() < 2)
      return errors_.at(line.number, words.front().column, "-A needs a chain");
    ChainStatement statement = read_iptables_statement(line.number, words, interfaces_, errors_);
    chain_named(line, words[1].text, words[1].column).statements.push_back(std::move(statement));
  }

  const InputFile& file_;
  const PacketInterfaces& interfaces_;
  FileErrors& errors_;
  std::string table_ = "filter";  // as the commands take it when none is named
  std::vector<FilterChain> chains_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // by table and name
};

bool is_iptables_listing(std::string_view bytes) {
  const auto lines = significant_lines(bytes);
  if (lines.empty())
    return false;
  const auto words = words_of(lines.front().text);
  const std::string_view first = words.front().text;
  return is_table_line(first) || first == "-P" || first == "-A" || first == "-N" ||
         (first.starts_with(':') && first.size() > 1);
}

std::optional<RuleSet> read_iptables_rules(const InputFile& file, const RuleReading& reading,
                                           Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  const auto chains = IptablesReader(file, reading.interfaces, errors).read();
  return rule_set_of_listing(file, chains, reading, errors);
}

}  // namespace

// iptables-save, or what `iptables -S` prints.
extern const RuleNotation kIptables{RuleNotation::Chains::kNamed, is_iptables_listing,
                                    read_iptables_rules};

}  // namespace nplab::workloads
