// ClassBench filter lines: Taylor and Turner, "ClassBench: A Packet Classification Benchmark",
// 2007.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kShape =
    "a rule is '@src/len dst/len low : high low : high protocol/mask [flags] [action]'";

class RuleLineParser {
 public:
  RuleLineParser(const Line& line, FileErrors& errors) : line_(line), errors_(errors) {}

  std::optional<Rule> parse() {
    const auto& fields = five_tuple_fields();
    Rule rule;
    skip_blanks();
    rule.location = errors_.location(line_.number, column());
    if (!expect('@', "the '@' that begins a rule"))
      return std::nullopt;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto range = i < 2 ? prefix(fields[i]) : i < 4 ? ports(fields[i]) : protocol();
      if (!range)
        return std::nullopt;
      rule.ranges.push_back(*range);
    }
    if (!trailing_columns(rule.action))
      return std::nullopt;
    return rule;
  }

 private:
  [[nodiscard]] int column() const { return static_cast<int>(at_) + 1; }
  [[nodiscard]] std::string_view rest() const { return line_.text.substr(at_); }
  void skip_blanks() {
    while (at_ < line_.text.size() && is_blank(line_.text[at_]))
      ++at_;
  }

  std::string found() const {
    const auto words = words_of(rest());
    return words.empty() ? "the end of the line" : fmt::format("'{}'", words.front().text);
  }
  std::nullopt_t fail(int column, std::string message) {
    errors_.at(line_.number, column, std::move(message));
    return std::nullopt;
  }
  bool expect(char wanted, std::string_view what) {
    skip_blanks();
    if (!rest().empty() && rest().front() == wanted) {
      ++at_;
      return true;
    }
    fail(column(), fmt::format("expected {}, found {}; {}", what, found(), kShape));
    return false;
  }

  std::optional<std::uint64_t> number(std::string_view what, std::uint64_t largest) {
    skip_blanks();
    const ScannedNumber number = scan_number(rest());
    if (number.length == 0)
      return fail(column(), fmt::format("expected {}, found {}; {}", what, found(), kShape));
    if (number.value > largest) {
      return fail(column(), fmt::format("{} {} is larger than {}", what, number.value, largest));
    }
    at_ += number.length;
    return number.value;
  }

  // An address must be written with four parts: a bare number there is a column out of place.
  std::optional<Range> prefix(const FieldDefinition& field) {
    skip_blanks();
    const auto word = words_of(rest());
    if (word.empty() || word.front().text.find('.') == std::string_view::npos) {
      return fail(column(), fmt::format("expected the {} as a.b.c.d/len, found {}; {}", field.name,
                                        found(), kShape));
    }
    if (word.front().text.find('/') == std::string_view::npos) {
      return fail(column(),
                  fmt::format("'{}' has no prefix length; write a.b.c.d/len", word.front().text));
    }
    const auto value = parse_field_value(word.front().text, field);
    if (const auto* error = std::get_if<FieldValueError>(&value)) {
      return fail(column() + static_cast<int>(error->offset), error->message);
    }
    at_ += word.front().text.size();
    return std::get<Range>(value);
  }

  std::optional<Range> ports(const FieldDefinition& field) {
    const auto low = number(field.name, max_value(field.bits));
    if (!low || !expect(':', "':' between the ends of a port range"))
      return std::nullopt;
    skip_blanks();
    const int high_column = column();
    const auto high = number(field.name, max_value(field.bits));
    if (!high)
      return std::nullopt;
    if (*low > *high)
      return fail(high_column,
                  fmt::format("the range ends at {}, before its start {}", *high, *low));
    return Range{*low, *high};
  }

  std::optional<Range> protocol() {
    const auto value = number("protocol", 255);
    if (!value || !expect('/', "'/' between protocol and mask"))
      return std::nullopt;
    const int mask_column = column();
    const auto mask = number("protocol mask", 255);
    if (!mask)
      return std::nullopt;
    if (*mask != 0 && *mask != 255) {
      return fail(mask_column, "a protocol mask is 0xFF (this protocol) or 0x00 (any protocol)");
    }
    return *mask == 0 ? Range{0, 255} : Range{*value, *value};
  }

  bool trailing_columns(Action& action) {
    std::string_view action_word;
    for (const Word& word : words_of(rest())) {
      const int word_column = column() + word.column - 1;
      if (std::isdigit(static_cast<unsigned char>(word.text.front())))
        continue;
      const auto parsed = parse_action(word.text);
      if (!parsed) {
        fail(word_column, fmt::format("unknown action '{}'; {}", word.text, kActionHelp));
        return false;
      }
      if (!action_word.empty()) {
        fail(word_column,
             fmt::format("a second action '{}' after '{}'; keep one", word.text, action_word));
        return false;
      }
      action_word = word.text;
      action = *parsed;
    }
    return true;
  }

  const Line& line_;
  FileErrors& errors_;
  std::size_t at_ = 0;
};

bool has_rule_line(std::string_view bytes) {
  const auto lines = significant_lines(bytes);
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return line.text[line.text.find_first_not_of(" \t")] == '@';
  });
}

std::optional<RuleSet> read_classbench_rules(const InputFile& file, const RuleReading& /*reading*/,
                                             Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  std::vector<Rule> rules;
  for (const Line& line : significant_lines(file.bytes)) {
    if (auto rule = RuleLineParser(line, errors).parse())
      rules.push_back(std::move(*rule));
  }
  if (errors.any())
    return std::nullopt;
  return RuleSet(file.name, file.sha256, five_tuple_fields(), std::move(rules));
}

}  // namespace

// `@src/len dst/len lo : hi lo : hi protocol/mask`, then columns that begin with a digit (TCP
// flags; not part of the 5-tuple) and at most one action word.
extern const RuleNotation kClassBench{RuleNotation::Chains::kNone, has_rule_line,
                                      read_classbench_rules};

}  // namespace nplab::workloads
