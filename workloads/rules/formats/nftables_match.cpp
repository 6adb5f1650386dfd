#include "workloads/rules/formats/nftables_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "workloads/rules/formats/nftables_interface.h"
#include "workloads/rules/header_names.h"

namespace nplab::workloads {
namespace {

constexpr std::array<std::string_view, 5> kPortProtocols = {"tcp", "udp", "sctp", "dccp",
                                                            "udplite"};

unsigned bits_of(HeaderField field) {
  return five_tuple_fields()[static_cast<std::size_t>(field)].bits;
}

NftablesProblem unsupported_at(const JsonValue& value, std::string what) {
  return {NftablesProblem::Kind::kUnsupported, value.location(), std::move(what)};
}
NftablesProblem malformed_at(const JsonValue& value, std::string what) {
  return {NftablesProblem::Kind::kMalformed, value.location(), std::move(what)};
}

// A field of the 5-tuple, and the protocol that naming it implies (`tcp dport`).
struct Operand {
  HeaderField field = HeaderField::kProtocol;
  std::optional<std::uint8_t> protocol;
};

std::variant<Operand, NftablesProblem> operand_of(const JsonValue& expression) {
  using enum HeaderField;
  if (const JsonValue* meta = expression.only("meta")) {
    const std::string key = meta->text_of("key");
    if (key == "l4proto")
      return Operand{kProtocol, {}};
    std::string what = fmt::format("'meta {}' is not a 5-tuple match", key);
    if (const char* side = interface_side(expression))
      what += fmt::format("; --interface {}=NAME decides it", side);
    return unsupported_at(*meta, std::move(what));
  }
  const JsonValue* payload = expression.only("payload");
  if (payload == nullptr) {
    const std::string name =
        expression.keys().size() == 1 ? expression.keys().front() : "this expression";
    return unsupported_at(expression, fmt::format("'{}' is not a 5-tuple match", name));
  }
  const std::string header = payload->text_of("protocol"), name = payload->text_of("field");
  if (header == "ip" && name == "saddr")
    return Operand{kSourceAddress, {}};
  if (header == "ip" && name == "daddr")
    return Operand{kDestinationAddress, {}};
  if (header == "ip" && name == "protocol")
    return Operand{kProtocol, {}};
  const bool of_transport =
      std::find(kPortProtocols.begin(), kPortProtocols.end(), header) != kPortProtocols.end();
  if ((of_transport || header == "th") && (name == "sport" || name == "dport")) {
    const auto number = of_transport ? protocol_number(header) : std::nullopt;
    return Operand{name == "sport" ? kSourcePort : kDestinationPort, number};
  }
  return unsupported_at(*payload, fmt::format("'{} {}' is not a 5-tuple match", header, name));
}

std::optional<std::uint64_t> value_of(const std::string& text, HeaderField field) {
  switch (field) {
    case HeaderField::kSourceAddress:
    case HeaderField::kDestinationAddress: return ipv4_address(text);
    case HeaderField::kProtocol: return protocol_number(text);
    default: return port_number(text);
  }
}

std::optional<Range> prefix_of(const JsonValue& prefix, HeaderField field) {
  const auto address = value_of(prefix.text_of("addr"), field);
  const auto length = protocol_number(prefix.text_of("len"));
  const unsigned bits = bits_of(field);
  if (!address || !length || *length > bits)
    return std::nullopt;
  const std::uint64_t free_mask = *length == bits ? 0 : max_value(bits - *length);
  return Range{*address & ~free_mask, *address | free_mask};
}

std::optional<Range> span_of(const JsonValue& range, HeaderField field) {
  if (range.items().size() != 2)
    return std::nullopt;
  const auto low = value_of(range.items()[0].text(), field),
             high = value_of(range.items()[1].text(), field);
  if (!low || !high || *low > *high)
    return std::nullopt;
  return Range{*low, *high};
}

// An element of a set may carry a comment, a timeout, a counter.
const JsonValue& bare(const JsonValue& value) {
  const JsonValue* element = value.only("elem");
  const JsonValue* inner = element == nullptr ? nullptr : element->find("val");
  return inner == nullptr ? value : *inner;
}

class MatchReader {
 public:
  explicit MatchReader(const NftablesSets& sets) : sets_(sets) {}

  NftablesHeaders headers(const JsonValue& expression, const JsonValue& right) {
    std::vector<Operand> operands;
    const JsonValue* parts = expression.only("concat");
    const std::size_t count = parts == nullptr ? 1 : parts->items().size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto operand = operand_of(parts == nullptr ? expression : parts->items()[i]);
      if (const auto* problem = std::get_if<NftablesProblem>(&operand))
        return *problem;
      operands.push_back(std::get<Operand>(operand));
    }
    add(operands, right);
    if (problem_)
      return *problem_;
    if (operands.size() == 1)
      return std::vector{restricted(operands[0], ValueSet::union_of(std::move(ranges_)))};
    return std::move(headers_);
  }

  // The values that `right` names for one field.
  std::variant<ValueSet, NftablesProblem> values(HeaderField field, const JsonValue& right) {
    add({Operand{field, {}}}, right);
    if (problem_)
      return *problem_;
    return ValueSet::union_of(std::move(ranges_));
  }

  static HeaderSet restricted(const Operand& operand, const ValueSet& values) {
    HeaderSet set;
    set.restrict_to(operand.field, values);
    if (operand.protocol)
      set.restrict_to(HeaderField::kProtocol,
                      ValueSet(Range{*operand.protocol, *operand.protocol}));
    return set;
  }

 private:
  void add(const std::vector<Operand>& operands, const JsonValue& right) {
    const JsonValue& value = bare(right);
    if (problem_)
      return;
    if (const JsonValue* set = value.only("set")) {
      add_each(operands, *set);
    } else if (value.kind() == JsonValue::Kind::kList) {
      add_each(operands, value);
    } else if (value.kind() == JsonValue::Kind::kString && value.text().starts_with('@')) {
      add_named(operands, value);
    } else if (operands.size() == 1) {
      if (const auto range = one(value, operands[0].field))
        ranges_.push_back(*range);
    } else {
      add_concatenation(operands, value);
    }
  }

  void add_each(const std::vector<Operand>& operands, const JsonValue& list) {
    if (list.kind() == JsonValue::Kind::kList) {
      for (const JsonValue& item : list.items())
        add(operands, item);
    } else {
      add(operands, list);
    }
  }

  void add_named(const std::vector<Operand>& operands, const JsonValue& name) {
    const auto at = sets_.find(name.text().substr(1));
    if (at == sets_.end()) {
      problem_ = malformed_at(name, fmt::format("the table has no set '{}'", name.text()));
    } else if (const JsonValue* elements = at->second->find("elem")) {
      add_each(operands, *elements);
    }
  }

  void add_concatenation(const std::vector<Operand>& operands, const JsonValue& value) {
    const JsonValue* parts = value.only("concat");
    if (parts == nullptr || parts->items().size() != operands.size()) {
      problem_ = malformed_at(
          value, fmt::format("expected a concatenation of {} values", operands.size()));
      return;
    }
    HeaderSet set;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto range = one(bare(parts->items()[i]), operands[i].field);
      if (!range)
        return;
      set = set.intersection(restricted(operands[i], ValueSet(*range)));
    }
    headers_.push_back(std::move(set));
  }

  std::optional<Range> one(const JsonValue& value, HeaderField field) {
    std::optional<Range> range;
    if (const JsonValue* prefix = value.only("prefix"))
      range = prefix_of(*prefix, field);
    else if (const JsonValue* span = value.only("range"))
      range = span_of(*span, field);
    else if (value.text() == "*")
      range = Range{0, max_value(bits_of(field))};
    else if (const auto number = value_of(value.text(), field))
      range = Range{*number, *number};
    if (!range) {
      problem_ = malformed_at(
          value, fmt::format("expected a value, prefix or range of the {}, found '{}'",
                             five_tuple_fields()[static_cast<std::size_t>(field)].name,
                             value.keys().size() == 1 ? value.keys().front() : value.text()));
    }
    return range;
  }

  const NftablesSets& sets_;
  std::vector<Range> ranges_;       // of a single field
  std::vector<HeaderSet> headers_;  // of a concatenation
  std::optional<NftablesProblem> problem_;
};

// No IPv4 packet has a header of IPv6.
bool reads_ipv6(const JsonValue& expression) {
  const JsonValue* payload = expression.only("payload");
  const std::string header = payload == nullptr ? "" : payload->text_of("protocol");
  return header == "ip6" || header == "icmpv6";
}

// `meta nfproto ipv4`, `meta protocol ip`: all headers or none, when the expression asks for the
// family.
std::optional<std::vector<HeaderSet>> headers_of_family(const JsonValue& left,
                                                        const std::string& op,
                                                        const JsonValue& right) {
  const JsonValue* meta = left.only("meta");
  const std::string key = meta == nullptr ? "" : meta->text_of("key");
  const bool asks =
      (key == "nfproto" || key == "protocol") && right.kind() == JsonValue::Kind::kString;
  if (!asks || (op != "==" && op != "!="))
    return std::nullopt;
  const bool named = right.text() == (key == "nfproto" ? "ipv4" : "ip");
  if (named == (op == "=="))
    return std::vector{HeaderSet()};
  return std::vector<HeaderSet>{};
}

// `ip saddr & 255.255.0.0 == 10.1.0.0`: addresses that agree with a value in the mask's bits. None
// agrees with a value that has other bits.
NftablesHeaders masked_headers(const JsonValue& masked, const std::string& op,
                               const JsonValue& right, const NftablesSets& sets) {
  if (masked.items().size() != 2)
    return malformed_at(masked, "expected a pair of an expression and a mask");
  const auto operand = operand_of(masked.items()[0]);
  if (const auto* problem = std::get_if<NftablesProblem>(&operand))
    return *problem;
  const HeaderField field = std::get<Operand>(operand).field;
  if (bits_of(field) != 32 || (op != "==" && op != "!="))
    return unsupported_at(masked,
                          "only addresses with a mask that == or != compares are supported");
  const auto mask = ipv4_address(masked.items()[1].text());
  if (!mask)
    return malformed_at(masked.items()[1], fmt::format("expected a mask a.b.c.d, found '{}'",
                                                       masked.items()[1].text()));
  const auto read = MatchReader(sets).values(field, right);
  if (const auto* problem = std::get_if<NftablesProblem>(&read))
    return *problem;
  std::vector<Range> agreeing;
  for (const Range& range : std::get<ValueSet>(read).ranges()) {
    if (range.low != range.high)
      return unsupported_at(right, "a range after a mask is not supported; list its addresses");
    const auto value = static_cast<std::uint32_t>(range.low);
    const auto values = (value & ~*mask) == 0 ? masked_values(value, *mask) : ValueSet();
    if (!values)
      return unsupported_at(masked, "a mask with so many holes is not supported");
    agreeing.insert(agreeing.end(), values->ranges().begin(), values->ranges().end());
  }
  ValueSet all = ValueSet::union_of(std::move(agreeing));
  return std::vector{MatchReader::restricted(std::get<Operand>(operand),
                                             op == "==" ? all : all.complement(bits_of(field)))};
}

// `op` with one value on its right.
ValueSet compared(const std::string& op, const ValueSet& right, unsigned bits) {
  const Range value = right.ranges().front();
  if (op == "<")
    return value.low == 0 ? ValueSet() : ValueSet(Range{0, value.low - 1});
  if (op == "<=")
    return ValueSet(Range{0, value.low});
  if (op == ">")
    return value.high == max_value(bits) ? ValueSet()
                                         : ValueSet(Range{value.high + 1, max_value(bits)});
  return ValueSet(Range{value.high, max_value(bits)});
}

}  // namespace

NftablesHeaders headers_of(const JsonValue& expression, const JsonValue& right,
                           const NftablesContext& context) {
  if (reads_ipv6(expression))
    return std::vector<HeaderSet>{};
  if (const auto matches = interface_matches(expression, "==", right, context))
    return std::vector<HeaderSet>(*matches ? 1 : 0);
  return MatchReader(context.sets).headers(expression, right);
}

NftablesHeaders headers_of_match(const JsonValue& match, const NftablesContext& context) {
  const JsonValue* left = match.find("left");
  const JsonValue* right = match.find("right");
  if (left == nullptr || right == nullptr)
    return malformed_at(match, "a match needs 'left' and 'right'");
  const std::string op = match.text_of("op");
  if (reads_ipv6(*left))
    return std::vector<HeaderSet>{};
  if (const auto family = headers_of_family(*left, op, *right))
    return *family;
  if (const auto matches = interface_matches(*left, op, *right, context))
    return std::vector<HeaderSet>(*matches ? 1 : 0);
  if (const JsonValue* masked = left->only("&"))
    return masked_headers(*masked, op, *right, context.sets);
  if (op == "==" || op == "in" || op.empty())
    return headers_of(*left, *right, context);
  const auto operand = operand_of(*left);
  if (const auto* problem = std::get_if<NftablesProblem>(&operand))
    return *problem;
  const HeaderField field = std::get<Operand>(operand).field;
  const auto read = MatchReader(context.sets).values(field, *right);
  if (const auto* problem = std::get_if<NftablesProblem>(&read))
    return *problem;
  ValueSet values = std::get<ValueSet>(read);
  const bool orders = op == "<" || op == "<=" || op == ">" || op == ">=";
  if ((!orders && op != "!=") || (orders && values.ranges().size() != 1)) {
    return unsupported_at(match, fmt::format("the comparison '{}' is not supported here", op));
  }
  values = orders ? compared(op, values, bits_of(field)) : values.complement(bits_of(field));
  return std::vector{MatchReader::restricted(std::get<Operand>(operand), values)};
}

}  // namespace nplab::workloads
