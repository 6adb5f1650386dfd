#include "workloads/rules/formats/iptables_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "workloads/rules/header_names.h"

namespace nplab::workloads {
namespace {

// Modules without a match of their own, or whose options are judged one by one.
constexpr std::array<std::string_view, 8> kHarmlessModules = {
    "tcp", "udp", "sctp", "multiport", "icmp", "dccp", "comment", "iprange"};
// Targets that let a packet go on and change nothing that a later statement could match on.
constexpr std::array<std::string_view, 5> kObservers = {"LOG", "NFLOG", "ULOG", "AUDIT", "TRACE"};
constexpr std::array<std::string_view, 12> kOtherTargets = {
    "DNAT",  "SNAT",    "MASQUERADE", "REDIRECT", "MARK",   "CONNMARK",
    "QUEUE", "NFQUEUE", "TPROXY",     "CT",       "TCPMSS", "SET"};

template <typename Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class StatementParser {
 public:
  StatementParser(int line, const std::vector<QuotedWord>& words,
                  const PacketInterfaces& interfaces, FileErrors& errors)
      : line_(line), words_(words), interfaces_(interfaces), errors_(errors) {
    statement_.matches = {HeaderSet()};
    statement_.location = errors.location(line, words.front().column);
  }

  ChainStatement parse() {
    for (at_ = 2; at_ < words_.size() && !only_options_of_target_;)
      read_option();
    if (changes_nothing_ || other_interface_)
      statement_.unsupported.reset();
    if (other_interface_)
      statement_.matches.clear();
    return std::move(statement_);
  }

 private:
  void read_option() {
    const bool negated_before = take("!");
    if (at_ >= words_.size())
      return fail(words_.size() - 1, "expected a match after '!'");
    option_ = at_++;
    const std::string_view name = words_[option_].text;
    negated_ = (at_ < words_.size() && words_[at_].text == "!") ? (++at_, true) : negated_before;
    if (name == "-m" || name == "--match") {
      read_module();
    } else if (name == "-j" || name == "--jump" || name == "-g" || name == "--goto") {
      read_target(name == "-j" || name == "--jump");
    } else if (name == "--comment") {
      if (const auto* word = value())
        statement_.name = word->text;
    } else if (!read_match(name)) {
      skip_unsupported(name);
    }
  }

  bool read_match(std::string_view name) {
    using enum HeaderField;
    if (name == "-s" || name == "--source" || name == "--src")
      addresses(kSourceAddress);
    else if (name == "-d" || name == "--destination" || name == "--dst")
      addresses(kDestinationAddress);
    else if (name == "-p" || name == "--protocol" || name == "--proto")
      protocols();
    else if (name == "--sport" || name == "--source-port" || name == "--sports" ||
             name == "--source-ports")
      ports({kSourcePort});
    else if (name == "--dport" || name == "--destination-port" || name == "--dports" ||
             name == "--destination-ports")
      ports({kDestinationPort});
    else if (name == "--ports")
      ports({kSourcePort, kDestinationPort});
    else if (name == "--src-range")
      address_range(kSourceAddress);
    else if (name == "--dst-range")
      address_range(kDestinationAddress);
    else if (name == "-i" || name == "--in-interface")
      interface("in", interfaces_.in);
    else if (name == "-o" || name == "--out-interface")
      interface("out", interfaces_.out);
    else if (name == "--reject-with")
      value();
    else if (name == "--icmp-type" && at_ < words_.size() && words_[at_].text == "any")
      ++at_;
    else
      return false;
    return true;
  }

  bool take(std::string_view word) {
    if (at_ >= words_.size() || words_[at_].text != word)
      return false;
    ++at_;
    return true;
  }
  const QuotedWord* value() {
    if (at_ < words_.size())
      return &words_[at_++];
    fail(option_, fmt::format("'{}' needs a value", words_[option_].text));
    return nullptr;
  }
  void fail(std::size_t word, std::string message) {
    errors_.at(line_, words_[word].column, std::move(message));
  }
  void unsupported(std::size_t word, std::string what) {
    if (!statement_.unsupported)
      statement_.unsupported = {errors_.location(line_, words_[word].column), std::move(what)};
  }

  // The option's words end where the next option begins.
  void skip_unsupported(std::string_view name) {
    unsupported(option_, fmt::format("'{}' is not a 5-tuple match", name));
    while (at_ < words_.size() && words_[at_].text != "!" && !words_[at_].text.starts_with('-'))
      ++at_;
  }

  void read_module() {
    const QuotedWord* module = value();
    if (module != nullptr && !is_among(module->text, kHarmlessModules)) {
      unsupported(option_, fmt::format("'-m {}' is not a 5-tuple match", module->text));
    }
  }

  // What follows a target that changes no answer is taken for the target's own options.
  void read_target(bool jumps) {
    const QuotedWord* target = value();
    if (target == nullptr)
      return;
    using Kind = ChainVerdict::Kind;
    changes_nothing_ = is_among(target->text, kObservers);
    if (changes_nothing_) {
      only_options_of_target_ = true;
    } else if (is_among(target->text, kOtherTargets)) {
      only_options_of_target_ = true;
      unsupported(option_, fmt::format("target '{}' neither accepts nor drops", target->text));
    } else if (target->text == "ACCEPT") {
      statement_.verdict = {Kind::kDecide, Action::allow(), {}};
    } else if (target->text == "DROP" || target->text == "REJECT") {
      statement_.verdict = {Kind::kDecide, Action::deny(), {}};
    } else if (target->text == "RETURN") {
      statement_.verdict.kind = Kind::kLeave;
    } else {
      statement_.verdict = {jumps ? Kind::kJump : Kind::kGoTo, Action::allow(), target->text};
    }
  }

  void keep(HeaderField field, const ValueSet& values, unsigned bits) {
    for (HeaderSet& match : statement_.matches)
      match.restrict_to(field, negated_ ? values.complement(bits) : values);
  }

  void addresses(HeaderField field) {
    const QuotedWord* word = value();
    if (word == nullptr)
      return;
    std::vector<Range> ranges;
    for (const std::string_view part : parts_of(word->text)) {
      const auto values = address_with_mask(part);
      if (!values) {
        return fail(
            at_ - 1,
            fmt::format(
                "expected an IPv4 address a.b.c.d, a.b.c.d/LENGTH or a.b.c.d/MASK, found '{}'",
                part));
      }
      ranges.insert(ranges.end(), values->ranges().begin(), values->ranges().end());
    }
    keep(field, ValueSet::union_of(std::move(ranges)), 32);
  }

  static std::optional<ValueSet> address_with_mask(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto address = ipv4_address(text.substr(0, slash));
    if (!address)
      return std::nullopt;
    if (slash == std::string_view::npos)
      return masked_values(*address, ~0u);
    const std::string_view mask = text.substr(slash + 1);
    if (const auto bits = ipv4_address(mask))
      return masked_values(*address, *bits);
    const auto length = port_number(mask);
    if (!length || *length > 32)
      return std::nullopt;
    return masked_values(*address, *length == 0 ? 0 : ~0u << (32 - *length));
  }

  void address_range(HeaderField field) {
    const QuotedWord* word = value();
    if (word == nullptr)
      return;
    const std::string_view text = word->text;
    const std::size_t dash = text.find('-');
    const auto low = ipv4_address(text.substr(0, dash));
    const auto high = dash == std::string_view::npos ? low : ipv4_address(text.substr(dash + 1));
    if (!low || !high || *low > *high) {
      return fail(at_ - 1,
                  fmt::format("expected a range of IPv4 addresses LOW-HIGH, found '{}'", text));
    }
    keep(field, ValueSet(Range{*low, *high}), 32);
  }

  // The packets' own interface decides, when it is known.
  void interface(const char* side, const std::optional<std::string>& own) {
    const QuotedWord* word = value();
    if (word == nullptr)
      return;
    if (own)
      other_interface_ |= names_interface(word->text, '+', *own) == negated_;
    else
      unsupported(option_,
                  fmt::format("'{}' is not a 5-tuple match; --interface {}=NAME decides it",
                              words_[option_].text, side));
  }

  void protocols() {
    const QuotedWord* word = value();
    if (word == nullptr || word->text == "all" || word->text == "0")
      return;
    const auto number = protocol_number(word->text);
    if (!number)
      return fail(at_ - 1, fmt::format("unknown protocol '{}'; write its number", word->text));
    keep(HeaderField::kProtocol, ValueSet(Range{*number, *number}), 8);
  }

  // Of one field; or of two, where either may match.
  void ports(const std::vector<HeaderField>& fields) {
    const QuotedWord* word = value();
    if (word == nullptr)
      return;
    const auto values = port_list(word->text);
    if (!values) {
      return fail(
          at_ - 1,
          fmt::format("expected ports PORT, LOW:HIGH or a list of them, found '{}'", word->text));
    }
    if (values->empty() && !negated_) {
      return unsupported(at_ - 1, fmt::format("'{}' names no port, so that it never matches: the "
                                              "first of a range is at most the last",
                                              word->text));
    }
    if (fields.size() == 1 || negated_) {
      for (const HeaderField field : fields)
        keep(field, *values, 16);
      return;
    }
    std::vector<HeaderSet> either;
    for (const HeaderField field : fields) {
      for (HeaderSet match : statement_.matches) {
        match.restrict_to(field, *values);
        either.push_back(std::move(match));
      }
    }
    statement_.matches = std::move(either);
  }

  static std::optional<ValueSet> port_list(std::string_view text) {
    std::vector<Range> ranges;
    for (const std::string_view part : parts_of(text)) {
      const std::size_t colon = part.find(':');
      const std::string_view first = part.substr(0, colon);
      const std::string_view last =
          colon == std::string_view::npos ? first : part.substr(colon + 1);
      const auto low = first.empty() ? std::uint16_t{0} : port_number(first);
      const auto high = last.empty() && !part.empty() ? std::uint16_t{0xFFFF} : port_number(last);
      if (!low || !high)
        return std::nullopt;
      if (*low <= *high)  // otherwise no port lies between them
        ranges.push_back({*low, *high});
    }
    return ValueSet::union_of(std::move(ranges));
  }

  int line_;
  const std::vector<QuotedWord>& words_;
  const PacketInterfaces& interfaces_;
  FileErrors& errors_;
  ChainStatement statement_;
  std::size_t at_ = 0;      // the word to read next
  std::size_t option_ = 0;  // the option whose values are read
  bool negated_ = false;
  bool other_interface_ = false;  // no packet of interest passes the interfaces that it names
  bool only_options_of_target_ = false;
  bool changes_nothing_ =
      true;  // no target, or one that only looks: what is matched does not matter then
};

}  // namespace

ChainStatement read_iptables_statement(int line, const std::vector<QuotedWord>& words,
                                       const PacketInterfaces& interfaces, FileErrors& errors) {
  return StatementParser(line, words, interfaces, errors).parse();
}

}  // namespace nplab::workloads
