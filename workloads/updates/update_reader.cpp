// Files of timed updates.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/updates/updates.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kUpdateShape =
    "an update is 'CYCLE insert RULE', 'CYCLE delete RULE' or 'CYCLE insert NAME before RULE VALUE "
    "... [ACTION]'";

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

// Rules are known by the order in which they come up: those of the set by their index, new ones
// after them.
class UpdateFileReader {
 public:
  UpdateFileReader(const InputFile& file, const RuleSet& rules, Diagnostics& diagnostics)
      : file_(file),
        rules_(rules),
        errors_(file.name, diagnostics),
        present_(rules.size(), true),
        named_(rules.size(), false),
        at_start_(rules.size(), true) {}

  std::optional<RuleUpdates> read() {
    for (const Line& line : significant_lines(file_.bytes))
      read_line(line);
    if (errors_.any())
      return std::nullopt;
    return in_order_of_priority();
  }

 private:
  struct NewRule {
    std::size_t before = 0;  // the rule of the set that it stands in front of
    Rule rule;
  };
  struct Step {
    RuleUpdate::Kind kind{};
    std::size_t rule = 0;
    std::uint64_t due = 0;
  };

  void error(const Line& line, const Word& at, std::string message) {
    errors_.at(line.number, at.column, std::move(message));
  }

  void read_line(const Line& line) {
    const std::vector<Word> words = words_of(line.text);
    const auto due = whole_number(words[0].text);
    if (!due)
      return error(line, words[0],
                   fmt::format("expected a cycle, found '{}'; {}", words[0].text, kUpdateShape));
    if (*due < last_due_) {
      return error(
          line, words[0],
          fmt::format("cycle {} is before the cycle of the previous update, {}", *due, last_due_));
    }
    last_due_ = *due;
    const bool inserts = words.size() > 1 && words[1].text == "insert";
    if (words.size() < 3 || (!inserts && words[1].text != "delete")) {
      const Word& at = words[std::min<std::size_t>(1, words.size() - 1)];
      return error(line, at, std::string(kUpdateShape));
    }
    if (inserts && words.size() > 3)
      return insert_new(line, words, *due);
    if (words.size() > 3)
      return error(line, words[3], fmt::format("unexpected '{}'; {}", words[3].text, kUpdateShape));
    const auto rule = find(line, words[2]);
    if (!rule)
      return;
    if (inserts)
      insert(line, words[2], *rule, *due);
    else
      erase(line, words[2], *rule, *due);
  }

  std::optional<std::size_t> find(const Line& line, const Word& word) {
    const auto index = whole_number(word.text);
    if (index && *index < rules_.size())
      return *index;
    const auto known = names_.find(word.text);
    if (known != names_.end())
      return known->second;
    error(line, word,
          index ? fmt::format("there is no rule {}: {} has {}, numbered from 0", *index,
                              rules_.name(), rules_.size())
                : fmt::format(
                      "no rule is named '{0}' yet; 'insert {0} before RULE VALUE ...' creates it",
                      word.text));
    return std::nullopt;
  }

  void insert(const Line& line, const Word& word, std::size_t rule, std::uint64_t due) {
    if (!named_[rule])
      at_start_[rule] = present_[rule] = false;
    if (present_[rule])
      return error(line, word, fmt::format("rule {} is already in force", word.text));
    add({RuleUpdate::Kind::kInsert, rule, due});
  }

  void erase(const Line& line, const Word& word, std::size_t rule, std::uint64_t due) {
    if (!present_[rule])
      return error(line, word, fmt::format("rule {} is not in force", word.text));
    add({RuleUpdate::Kind::kDelete, rule, due});
  }

  void add(const Step& step) {
    present_[step.rule] = step.kind == RuleUpdate::Kind::kInsert;
    named_[step.rule] = true;
    steps_.push_back(step);
  }

  void insert_new(const Line& line, const std::vector<Word>& words, std::uint64_t due) {
    const Word& name = words[2];
    if (words[3].text != "before" || words.size() < 5)
      return error(line, words[3], std::string(kUpdateShape));
    const auto before = whole_number(words[4].text);
    if (!before || *before > rules_.size()) {
      return error(line, words[4],
                   fmt::format("expected a rule from 0 to {} (the end), found '{}'", rules_.size(),
                               words[4].text));
    }
    if (std::isdigit(static_cast<unsigned char>(name.text.front())) || names_.contains(name.text)) {
      return error(
          line, name,
          fmt::format("'{}' cannot name a new rule: a name begins with a letter and is given once",
                      name.text));
    }
    auto rule = new_rule(line, words);
    if (!rule)
      return;
    names_.emplace(name.text, rules_.size() + new_rules_.size());
    new_rules_.push_back({*before, std::move(*rule)});
    present_.push_back(false);
    named_.push_back(true);
    at_start_.push_back(false);
    add({RuleUpdate::Kind::kInsert, rules_.size() + new_rules_.size() - 1, due});
  }

  std::optional<Rule> new_rule(const Line& line, const std::vector<Word>& words) {
    constexpr std::size_t kFirstValue = 5;
    const auto& fields = rules_.fields();
    Rule rule;
    rule.name = words[2].text;
    rule.location = errors_.location(line.number, words[2].column);
    const std::size_t given = words.size() - kFirstValue;
    if (given != fields.size() && given != fields.size() + 1) {
      error(line, words.back(),
            fmt::format("expected {} values and perhaps an action, found {}; {}", fields.size(),
                        given, kUpdateShape));
      return std::nullopt;
    }
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const Word& word = words[kFirstValue + f];
      const auto value = parse_field_value(word.text, fields[f]);
      if (const auto* error = std::get_if<FieldValueError>(&value)) {
        errors_.at(line.number, word.column + static_cast<int>(error->offset), error->message);
        return std::nullopt;
      }
      rule.ranges.push_back(std::get<Range>(value));
    }
    if (given == fields.size())
      return rule;
    const auto action = parse_action(words.back().text);
    if (!action)
      error(line, words.back(),
            fmt::format("unknown action '{}'; {}", words.back().text, kActionHelp));
    else
      rule.action = *action;
    return action ? std::optional(std::move(rule)) : std::nullopt;
  }

  // New rules between those of the set; several before the same one as they come in the file.
  RuleUpdates in_order_of_priority() {
    std::vector<Rule> ordered;
    std::vector<RuleIndex> places(rules_.size() + new_rules_.size(), RuleIndex(0));
    RuleUpdates made{file_.name, file_.sha256, rules_, {}, {}, {}, 0, {}};
    const auto append = [&](const Rule& rule, std::size_t known_as) {
      places[known_as] = RuleIndex(static_cast<std::uint32_t>(ordered.size()));
      ordered.push_back(rule);
      made.at_start.push_back(at_start_[known_as]);
      made.changing.push_back(named_[known_as]);
    };
    for (std::size_t next = 0; next <= rules_.size(); ++next) {
      for (std::size_t i = 0; i < new_rules_.size(); ++i) {
        if (new_rules_[i].before == next)
          append(new_rules_[i].rule, rules_.size() + i);
      }
      if (next < rules_.size())
        append(rules_.rules()[next], next);
    }
    for (const Step& step : steps_)
      made.updates.push_back({step.kind, places[step.rule], step.due});
    made.rules = RuleSet(rules_.name(), rules_.sha256(), rules_.fields(), std::move(ordered),
                         rules_.skipped());
    made.most_in_force = most_in_force(made.at_start, made.updates);
    return made;
  }

  const InputFile& file_;
  const RuleSet& rules_;
  FileErrors errors_;
  std::vector<bool> present_;
  std::vector<bool> named_;
  std::vector<bool> at_start_;
  std::map<std::string_view, std::size_t> names_;  // of new rules
  std::vector<NewRule> new_rules_;
  std::vector<Step> steps_;
  std::uint64_t last_due_ = 0;
};

}  // namespace

std::optional<RuleUpdates> parse_updates(const InputFile& file, const RuleSet& rules,
                                         Diagnostics& diagnostics) {
  return UpdateFileReader(file, rules, diagnostics).read();
}

}  // namespace nplab::workloads
