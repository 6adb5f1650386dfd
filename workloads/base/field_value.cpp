#include "workloads/base/field_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace nplab::workloads {
namespace {

ScannedNumber scan_digits(std::string_view text, int base, std::size_t skip) {
  std::uint64_t value = 0;
  const char* first = text.data() + std::min(skip, text.size());
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value, base);
  if (error != std::errc() || end == first)
    return {};
  return {value, static_cast<std::size_t>(end - text.data())};
}

ScannedNumber scan_dotted_quad(std::string_view text) {
  std::uint64_t address = 0;
  std::size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (at >= text.size() || text[at] != '.')
        return {};
      ++at;
    }
    const ScannedNumber number = scan_digits(text.substr(at), 10, 0);
    if (number.length == 0 || number.value > 255)
      return {};
    address = address << 8 | number.value;
    at += number.length;
  }
  return {address, at};
}

// Walks over one value's text; the first error sticks.
class ValueParser {
 public:
  ValueParser(std::string_view text, const FieldDefinition& field) : text_(text), field_(field) {}

  std::variant<Range, FieldValueError> parse() {
    if (text_ == "*" || text_ == "any")
      return any_value(field_);
    const auto low = number();
    if (!low)
      return error_;
    skip_blanks();
    if (at_ == text_.size())
      return checked({*low, *low}, 0);
    const char joint = text_[at_++];
    if (joint == '/')
      return prefix(*low);
    if (joint != '-') {
      return fail(at_ - 1,
                  fmt::format("unexpected '{}'; write VALUE, LOW-HIGH, VALUE/LENGTH or *", joint));
    }
    skip_blanks();
    const auto high_at = at_;
    const auto high = number();
    if (!high)
      return error_;
    if (at_ != text_.size())
      return fail(at_, "unexpected text after the range");
    if (*low > *high)
      return fail(high_at, fmt::format("the range ends at {}, before its start {}", *high, *low));
    return checked({*low, *high}, 0);
  }

 private:
  FieldValueError fail(std::size_t offset, std::string message) {
    return error_ = {offset, std::move(message)};
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }

  std::optional<std::uint64_t> number() {
    const ScannedNumber number = scan_number(text_.substr(at_));
    if (text_.substr(at_ + number.length).starts_with('.')) {
      fail(at_, fmt::format("'{}' is not an address; write four bytes of 0 to 255, a.b.c.d",
                            text_.substr(at_)));
      return std::nullopt;
    }
    if (number.length == 0) {
      fail(at_, fmt::format("expected a value of field '{}' ({} bits), found '{}'", field_.name,
                            field_.bits, text_.substr(at_)));
      return std::nullopt;
    }
    if (number.value > max_value(field_.bits)) {
      fail(at_, fmt::format("{} does not fit in field '{}' of {} bits (at most {})", number.value,
                            field_.name, field_.bits, max_value(field_.bits)));
      return std::nullopt;
    }
    at_ += number.length;
    return number.value;
  }

  std::variant<Range, FieldValueError> prefix(std::uint64_t value) {
    const ScannedNumber length = scan_digits(text_.substr(at_), 10, 0);
    if (length.length == 0 || at_ + length.length != text_.size() || length.value > field_.bits) {
      return fail(at_, fmt::format("expected a prefix length of 0 to {} after '/', found '{}'",
                                   field_.bits, text_.substr(at_)));
    }
    const auto free_bits = static_cast<unsigned>(field_.bits - length.value);
    const std::uint64_t free_mask = free_bits == 0 ? 0 : max_value(free_bits);
    return checked({value & ~free_mask, value | free_mask}, 0);
  }

  std::variant<Range, FieldValueError> checked(Range range, std::size_t offset) {
    const bool any = range == any_value(field_);
    if (field_.match == MatchKind::kExact && range.low != range.high && !any) {
      return fail(offset,
                  fmt::format("field '{}' is matched exactly; give one value or *", field_.name));
    }
    if (field_.match == MatchKind::kPrefix && !prefix_length(range, field_.bits)) {
      return fail(
          offset,
          fmt::format(
              "{}-{} is not a prefix, and field '{}' is matched by prefix; write VALUE/LENGTH",
              range.low, range.high, field_.name));
    }
    return range;
  }

  std::string_view text_;
  const FieldDefinition& field_;
  std::size_t at_ = 0;
  FieldValueError error_;
};

}  // namespace

ScannedNumber scan_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X"))
    return scan_digits(text, 16, 2);
  if (const ScannedNumber quad = scan_dotted_quad(text); quad.length > 0)
    return quad;
  return scan_digits(text, 10, 0);
}

std::variant<Range, FieldValueError> parse_field_value(std::string_view text,
                                                       const FieldDefinition& field) {
  return ValueParser(text, field).parse();
}

}  // namespace nplab::workloads
