#include "reports/record/thread_name.h"

#include <fmt/format.h>

#include <charconv>

namespace nplab::reports {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string to_string(const ThreadName& thread) {
  return fmt::format("{}.{}", thread.engine, thread.context);
}

std::optional<ThreadName> parse_thread_name(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos)
    return std::nullopt;
  const auto engine = parse_number(text.substr(0, dot));
  const auto context = parse_number(text.substr(dot + 1));
  if (!engine || !context)
    return std::nullopt;
  return ThreadName{*engine, *context};
}

}  // namespace nplab::reports
