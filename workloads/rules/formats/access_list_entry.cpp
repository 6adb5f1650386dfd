#include "workloads/rules/formats/access_list_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "workloads/base/field_value.h"
#include "workloads/packets/frame.h"
#include "workloads/rules/header_names.h"

namespace nplab::workloads {
namespace {

constexpr std::array<std::string_view, 4> kObjectWords = {"object-group", "object", "addrgroup",
                                                          "portgroup"};
constexpr std::array<std::string_view, 5> kPortOperators = {"eq", "neq", "gt", "lt", "range"};

class EntryParser {
 public:
  EntryParser(int line, std::span<const Word> words, AccessListStyle style, FileErrors& errors)
      : line_(line), words_(words), style_(style), errors_(errors) {
    entry_.location = errors.location(line, words.front().column);
    const Action action = words.front().text == "permit" ? Action::allow() : Action::deny();
    entry_.verdict = {ChainVerdict::Kind::kDecide, action, {}};
  }

  ChainStatement parse() {
    const bool done = style_.kind == AccessListStyle::Kind::kStandard
                          ? address(HeaderField::kSourceAddress) && trailing_words()
                          : protocol() && address(HeaderField::kSourceAddress) &&
                                ports(HeaderField::kSourcePort) &&
                                address(HeaderField::kDestinationAddress) &&
                                ports(HeaderField::kDestinationPort) && trailing_words();
    if (done && active_)
      entry_.matches = {match_};
    return std::move(entry_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= words_.size(); }
  [[nodiscard]] std::string_view word() const {
    return at_end() ? std::string_view{} : words_[at_].text;
  }
  [[nodiscard]] int column() const {
    const Word& last = words_.back();
    return at_end() ? last.column + static_cast<int>(last.text.size()) : words_[at_].column;
  }
  bool take(std::string_view wanted) {
    if (word() != wanted)
      return false;
    ++at_;
    return true;
  }
  bool fail(std::string_view wanted) {
    const std::string found = at_end() ? "the end of the line" : fmt::format("'{}'", word());
    errors_.at(line_, column(), fmt::format("expected {}, found {}", wanted, found));
    return false;
  }
  // Ends the entry: what stands after is not looked at.
  bool unsupported(std::string what) {
    entry_.unsupported = {errors_.location(line_, column()), std::move(what)};
    return false;
  }
  bool is_object() const {
    return std::find(kObjectWords.begin(), kObjectWords.end(), word()) != kObjectWords.end();
  }
  bool object() {
    const std::string_view name = at_ + 1 < words_.size() ? words_[at_ + 1].text : "";
    return unsupported(
        fmt::format("{} '{}' is defined elsewhere; write its values here", word(), name));
  }

  bool protocol() {
    if (is_object())
      return object();
    if (take("ip") || take("ipv4"))
      return true;
    const auto number = protocol_number(word());
    if (!number)
      return fail("a protocol: ip, tcp, udp, icmp, another's name or its number");
    match_.restrict_to(HeaderField::kProtocol, ValueSet(Range{*number, *number}));
    has_ports_ = *number == kProtocolTcp || *number == kProtocolUdp || *number == kProtocolSctp;
    ++at_;
    return true;
  }

  bool address(HeaderField field) {
    constexpr std::string_view kWanted =
        "an address: any, host A.B.C.D, A.B.C.D MASK or A.B.C.D/LENGTH";
    if (is_object() || word() == "interface")
      return object();
    if (take("any") || take("any4"))
      return true;
    const bool one = take("host");
    if (word().find('/') != std::string_view::npos && !one)
      return prefix(field);
    const auto value = ipv4_address(word());
    if (!value)
      return fail(kWanted);
    ++at_;
    std::uint32_t care = ~0u;
    if (!one) {
      const auto mask = ipv4_address(word());
      if (!mask && style_.kind == AccessListStyle::Kind::kExtended)
        return fail("a mask A.B.C.D after the address");
      if (mask)
        care = style_.mask == AccessListStyle::Mask::kWildcard ? ~*mask : *mask;
      if (mask)
        ++at_;
    }
    const auto values = masked_values(*value, care);
    if (!values) {
      --at_;
      return unsupported(fmt::format(
          "mask '{}' leaves more than 16 scattered bits open, which needs too many prefixes",
          word()));
    }
    match_.restrict_to(field, *values);
    return true;
  }

  bool prefix(HeaderField field) {
    const auto value =
        parse_field_value(word(), five_tuple_fields()[static_cast<std::size_t>(field)]);
    if (const auto* error = std::get_if<FieldValueError>(&value)) {
      errors_.at(line_, column() + static_cast<int>(error->offset), error->message);
      return false;
    }
    match_.restrict_to(field, ValueSet(std::get<Range>(value)));
    ++at_;
    return true;
  }

  bool ports(HeaderField field) {
    // After the source an object may be the destination's; only ports of a protocol with ports
    // have operators.
    if (word() == "portgroup")
      return object();
    const std::string_view name = word();
    if (!has_ports_ ||
        std::find(kPortOperators.begin(), kPortOperators.end(), name) == kPortOperators.end())
      return true;
    ++at_;
    std::vector<Range> ranges;
    do {
      const auto number = port_number(word());
      if (!number)
        return fail("the number or name of a port");
      ranges.push_back({*number, *number});
      ++at_;
    } while (name != "gt" && name != "lt" && port_number(word()));
    const auto values = values_of(name, ranges);
    if (!values) {
      --at_;
      return fail("two ports after 'range', the lower first");
    }
    match_.restrict_to(field, *values);
    return true;
  }

  static std::optional<ValueSet> values_of(std::string_view name, const std::vector<Range>& ports) {
    const std::uint64_t first = ports.front().low, last = max_value(16);
    if (name == "eq")
      return ValueSet::union_of(ports);
    if (name == "neq")
      return ValueSet::union_of(ports).complement(16);
    if (name == "gt")
      return first == last ? ValueSet() : ValueSet(Range{first + 1, last});
    if (name == "lt")
      return first == 0 ? ValueSet() : ValueSet(Range{0, first - 1});
    if (ports.size() != 2 || ports[1].low < first)
      return std::nullopt;
    return ValueSet(Range{first, ports[1].low});
  }

  // Logging changes no answer; everything else is a match beyond the 5-tuple.
  bool trailing_words() {
    bool logging = false;
    for (; !at_end() && !word().starts_with('('); ++at_) {  // (N matches) of `show access-lists`
      if (word() == "log" || word() == "log-input")
        logging = true;
      else if (word() == "inactive")
        active_ = false;
      else if (word() == "time-range")
        return unsupported("'time-range' is not a 5-tuple match");
      else if (!logging)
        return unsupported(fmt::format("'{}' is not a 5-tuple match", word()));
    }
    return true;
  }

  int line_;
  std::span<const Word> words_;
  AccessListStyle style_;
  FileErrors& errors_;
  ChainStatement entry_;
  HeaderSet match_;
  std::size_t at_ = 1;  // the word to read next
  bool has_ports_ = false;
  bool active_ = true;
};

}  // namespace

ChainStatement read_access_list_entry(int line, std::span<const Word> words, AccessListStyle style,
                                      FileErrors& errors) {
  return EntryParser(line, words, style, errors).parse();
}

}  // namespace nplab::workloads
