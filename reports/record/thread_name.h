// A thread as a run record names it: `2.0` is context 0 of engine 2.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nplab::reports {

struct ThreadName {
  std::uint64_t engine = 0;
  std::uint64_t context = 0;
  friend auto operator<=>(const ThreadName&, const ThreadName&) = default;
};

std::string to_string(const ThreadName& thread);
std::optional<ThreadName> parse_thread_name(std::string_view text);

}  // namespace nplab::reports
