#include "tests/tools/support/generated_input.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::tools::testing {
namespace {

constexpr Header kLargest{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff};

std::string address(std::uint32_t value) {
  return fmt::format("{}.{}.{}.{}", value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255);
}

unsigned prefix_length(std::uint32_t low, std::uint32_t high) {
  unsigned length = 32;
  for (std::uint32_t free = low ^ high; free != 0; free >>= 1)
    --length;
  return length;
}

bool matches(const GeneratedRule& rule, const Header& header) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] < rule.low[i] || header[i] > rule.high[i])
      return false;
  }
  return true;
}

}  // namespace

GeneratedInput::GeneratedInput(unsigned seed, std::size_t rules, std::size_t headers)
    : random_(seed) {
  for (std::size_t i = 0; i < rules; ++i)
    rules_.push_back(draw_rule());
  for (std::size_t i = 0; i < headers; ++i)
    headers_.push_back(draw_header());
}

// Modulo, for the standard's distributions differ between platforms.
std::uint32_t GeneratedInput::draw(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t values = std::uint64_t{high} - low + 1;
  return low + static_cast<std::uint32_t>(random_() % values);
}

GeneratedRule GeneratedInput::draw_rule() {
  GeneratedRule rule;
  for (std::size_t i = 0; i < 2; ++i) {
    // Few networks, so that rules overlap.
    const unsigned length = std::array{0u, 8u, 14u, 16u, 23u, 24u, 32u}[draw(0, 6)];
    const std::uint32_t mask = length == 0 ? 0 : ~std::uint32_t{0} << (32 - length);
    rule.low[i] =
        ((draw(10, 13) << 24) | (draw(0, 3) << 17) | (draw(0, 3) << 8) | draw(0, 255)) & mask;
    rule.high[i] = rule.low[i] | ~mask;
  }
  for (std::size_t i = 2; i < 4; ++i) {
    rule.low[i] = draw(0, 2) == 0 ? 0 : draw(0, 3000);
    rule.high[i] = draw(0, 1) == 0 ? 0xffff : rule.low[i] + draw(0, 400);
  }
  const std::uint32_t protocol = std::array{1u, 6u, 17u, 256u}[draw(0, 3)];
  rule.low[4] = protocol == 256 ? 0 : protocol;
  rule.high[4] = protocol == 256 ? 255 : protocol;
  rule.deny = draw(0, 2) == 0;
  return rule;
}

Header GeneratedInput::draw_header() {
  Header header;
  const GeneratedRule& rule = rules_[draw(0, static_cast<std::uint32_t>(rules_.size() - 1))];
  const bool anywhere = draw(0, 5) == 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    switch (anywhere ? 5 : draw(0, 7)) {
      case 0: header[i] = rule.low[i]; break;
      case 1: header[i] = rule.high[i]; break;
      case 2: header[i] = rule.low[i] - std::min(rule.low[i], 1u); break;
      case 3: header[i] = rule.high[i] + (rule.high[i] < kLargest[i] ? 1 : 0); break;
      case 5: header[i] = anywhere ? draw(0, kLargest[i]) : draw(rule.low[i], rule.high[i]); break;
      default: header[i] = draw(rule.low[i], rule.high[i]);
    }
  }
  return header;
}

std::string GeneratedInput::rules_text() const {
  std::string text;
  for (const GeneratedRule& rule : rules_) {
    text += fmt::format("@{}/{}\t{}/{}\t{} : {}\t{} : {}\t0x{:02x}/0x{:02x}\t{}\n",
                        address(rule.low[0]), prefix_length(rule.low[0], rule.high[0]),
                        address(rule.low[1]), prefix_length(rule.low[1], rule.high[1]), rule.low[2],
                        rule.high[2], rule.low[3], rule.high[3], rule.low[4],
                        rule.low[4] == rule.high[4] ? 255 : 0, rule.deny ? "deny" : "allow");
  }
  return text;
}

std::string GeneratedInput::trace_text() const {
  std::string text;
  for (const Header& header : headers_) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", header[0], header[1], header[2], header[3], header[4]);
  }
  return text;
}

void GeneratedInput::count(const std::optional<Header>& key, Answers& answers) const {
  const auto decides = [&](const GeneratedRule& rule) { return key && matches(rule, *key); };
  const auto first = std::find_if(rules_.begin(), rules_.end(), decides);
  if (first == rules_.end()) {
    ++answers.no_match;
  } else if (first->deny) {
    ++answers.denied;
  } else {
    ++answers.allowed;
  }
}

Answers GeneratedInput::answers() const {
  Answers answers;
  for (const Header& header : headers_)
    count(header, answers);
  return answers;
}

}  // namespace nplab::tools::testing
