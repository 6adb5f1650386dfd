#include "workloads/base/spec_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "support/near_miss.h"

namespace nplab::workloads {
namespace {

template <class Number>
std::optional<Number> number_within(std::string_view text, Number least, Number most) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  if (!(number >= least && number <= most))
    return std::nullopt;  // nor is it NaN
  return number;
}

}  // namespace

std::optional<std::uint64_t> whole_within(std::string_view text, std::uint64_t least,
                                          std::uint64_t most) {
  return number_within(text, least, most);
}

std::optional<double> decimal_within(std::string_view text, double least, double most) {
  return number_within(text, least, most);
}

void SpecText::each_setting(std::size_t from, const std::function<void(const SpecSetting&)>& take) {
  for (std::size_t at = from; at < text_.size();) {
    const std::size_t end = std::min(text_.find(',', at), text_.size());
    const std::string_view setting = text_.substr(at, end - at);
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
      fail(at, fmt::format("expected KEY=VALUE in {}, found '{}'", name_, setting));
    else
      take({setting.substr(0, equals), setting.substr(equals + 1), at, at + equals + 1});
    at = end + 1;
  }
}

void SpecText::fail(std::size_t offset, std::string message) {
  SourceLocation location = location_;
  if (location.column > 0)
    location.column += static_cast<int>(offset);
  diagnostics_.error(location, std::move(message));
  failed_ = true;
}

void SpecText::fail_unknown(const SpecSetting& setting, const std::vector<std::string>& known) {
  fail(setting.key_at, fmt::format("unknown key '{}' in {}; {}", setting.key, name_,
                                   suggestion(setting.key, known)));
}

std::optional<double> SpecText::share(const SpecSetting& setting) {
  const auto share = decimal_within(setting.value, 0, 1);
  if (!share)
    fail(setting.value_at, fmt::format("expected a share of 0 to 1, found '{}'", setting.value));
  return share;
}

}  // namespace nplab::workloads
