// Cisco access lists as configurations hold them (IOS numbered and named, NX-OS, ASA) and `show
// access-lists` prints them: "Configuring IP Access Lists", Cisco IOS.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "workloads/rules/formats/access_list_entry.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

constexpr unsigned kSequenceStep = 10;  // IOS numbers entries so

bool is_decimal(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

unsigned decimal(std::string_view word) {
  unsigned number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

bool is_standard_number(std::string_view name) {
  const unsigned number = is_decimal(name) ? decimal(name) : 0;
  return (number >= 1 && number <= 99) || (number >= 1300 && number <= 1999);
}

// The name and style of the list that a heading begins.
struct ListHeading {
  std::string_view name;
  AccessListStyle::Kind kind = AccessListStyle::Kind::kExtended;
};

std::optional<ListHeading> heading_of(const std::vector<Word>& words) {
  const auto word = [&](std::size_t i) {
    return i < words.size() ? words[i].text : std::string_view{};
  };
  using enum AccessListStyle::Kind;
  if (word(0) == "ip" && word(1) == "access-list") {
    const bool named_kind = word(2) == "extended" || word(2) == "standard";
    const std::string_view name = word(named_kind ? 3 : 2);
    if (name.empty())
      return std::nullopt;
    return ListHeading{name, word(2) == "standard" ? kStandard : kExtended};
  }
  // `show access-lists`
  const std::size_t at = word(0) == "Extended" || word(0) == "Standard" ? 1 : 0;
  if (word(at) != "IP" || word(at + 1) != "access" || word(at + 2) != "list" ||
      word(at + 3).empty())
    return std::nullopt;
  return ListHeading{word(at + 3), word(0) == "Standard" ? kStandard : kExtended};
}

// Lines of ASA's `show access-list` that are no entries: `access-list NAME; 3 elements; ...` and
// `access-list cached ACL log flows: ...`.
bool is_summary(const std::vector<Word>& words) {
  return words.size() > 1 && words[0].text == "access-list" &&
         (words[1].text.ends_with(';') ||
          (words[1].text == "cached" && words.size() > 2 && words[2].text == "ACL"));
}

class AccessListReader {
 public:
  AccessListReader(const InputFile& file, FileErrors& errors) : file_(file), errors_(errors) {}

  std::vector<FilterChain> read() {
    for (const Line& line : significant_lines(file_.bytes)) {
      const auto words = words_of(line.text);
      if (words.front().text.starts_with('!'))
        continue;
      if (is_summary(words)) {
        open_ = false;
      } else if (words.front().text == "access-list") {
        open_ = false;
        read_numbered(line.number, words);
      } else if (const auto heading = heading_of(words)) {
        open_ = true;
        current_ = list_named(line.number, words.front().column, heading->name);
        style_ = {heading->kind, AccessListStyle::Mask::kWildcard};
      } else if (open_) {
        read_named(line.number, words);
      }
    }
    return in_sequence();
  }

 private:
  struct NumberedStatement {
    unsigned sequence;
    ChainStatement statement;
  };
  struct List {
    FilterChain chain;
    std::vector<NumberedStatement> entries;
  };

  std::size_t list_named(int line, int column, std::string_view name) {
    const auto [known, is_new] = places_.try_emplace(std::string(name), lists_.size());
    if (!is_new)
      return known->second;
    List list;
    list.chain.name = name;
    list.chain.policy = Action::deny();  // what no entry permits is denied
    list.chain.location = errors_.location(line, column);
    lists_.push_back(std::move(list));
    return lists_.size() - 1;
  }

  // `access-list NAME [line N] [extended|standard] permit|deny ...`
  void read_numbered(int line, const std::vector<Word>& words) {
    if (words.size() < 3)
      return errors_.at(line, words.front().column,
                        "an entry is 'access-list NAME permit|deny ...'");
    current_ = list_named(line, words.front().column, words[1].text);
    style_ = {};
    if (is_standard_number(words[1].text))
      style_.kind = AccessListStyle::Kind::kStandard;
    std::span<const Word> rest = std::span(words).subspan(2);
    if (rest.size() > 2 && rest[0].text == "line")
      rest = rest.subspan(2);
    if (rest[0].text == "extended" || rest[0].text == "standard") {
      style_ = {rest[0].text == "standard" ? AccessListStyle::Kind::kStandard
                                           : AccessListStyle::Kind::kExtended,
                AccessListStyle::Mask::kNetmask};
      rest = rest.subspan(1);
    }
    if (!rest.empty())
      read_entry(line, rest, next_sequence());
  }

  // `[SEQUENCE] permit|deny ...` in a named list; any other line ends the list.
  void read_named(int line, const std::vector<Word>& words) {
    std::span<const Word> rest = words;
    unsigned sequence = next_sequence();
    if (is_decimal(rest[0].text) && rest.size() > 1) {
      sequence = decimal(rest[0].text);
      rest = rest.subspan(1);
    }
    open_ = read_entry(line, rest, sequence);
  }

  [[nodiscard]] unsigned next_sequence() const {
    unsigned last = 0;
    if (const auto& entries = lists_[current_].entries; !entries.empty())
      last = entries.back().sequence;
    return last + kSequenceStep;
  }

  bool read_entry(int line, std::span<const Word> words, unsigned sequence) {
    const std::string_view first = words.front().text;
    if (first == "remark" || first == "statistics")
      return true;
    ChainStatement entry;
    if (first == "permit" || first == "deny") {
      entry = read_access_list_entry(line, words, style_, errors_);
    } else if (first == "no" || first == "dynamic" || first == "evaluate") {
      entry.location = errors_.location(line, words.front().column);
      entry.unsupported = {entry.location, fmt::format("'{}' is neither permit nor deny", first)};
    } else if (open_) {
      return false;
    } else {
      errors_.at(line, words.front().column,
                 fmt::format("expected permit, deny or remark, found '{}'", first));
      return false;
    }
    lists_[current_].entries.push_back({sequence, std::move(entry)});
    return true;
  }

  std::vector<FilterChain> in_sequence() {
    std::vector<FilterChain> chains;
    for (List& list : lists_) {
      std::stable_sort(list.entries.begin(), list.entries.end(),
                       [](const auto& a, const auto& b) { return a.sequence < b.sequence; });
      for (NumberedStatement& entry : list.entries)
        list.chain.statements.push_back(std::move(entry.statement));
      chains.push_back(std::move(list.chain));
    }
    return chains;
  }

  const InputFile& file_;
  FileErrors& errors_;
  std::vector<List> lists_;
  std::map<std::string, std::size_t> places_;  // of lists by name
  std::size_t current_ = 0;
  AccessListStyle style_;
  bool open_ = false;  // entries of a named list may follow
};

bool has_access_list(std::string_view bytes) {
  const auto lines = significant_lines(bytes);
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    const auto words = words_of(line.text);
    return (words.front().text == "access-list" && words.size() > 2) || heading_of(words);
  });
}

std::optional<RuleSet> read_access_list_rules(const InputFile& file, const RuleReading& reading,
                                              Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  const auto lists = AccessListReader(file, errors).read();
  return rule_set_of_listing(file, lists, reading, errors);
}

}  // namespace

// A Cisco configuration's access lists, numbered and named, extended and standard; its other lines
// do not count.
extern const RuleNotation kAccessLists{RuleNotation::Chains::kNamed, has_access_list,
                                       read_access_list_rules};

}  // namespace nplab::workloads
