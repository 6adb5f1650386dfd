// Arguments of requests.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace nplab::tools {

// Empty when it is missing or not a string.
inline std::string text_of(const nlohmann::json& arguments, const char* key) {
  const auto found = arguments.find(key);
  return found != arguments.end() && found->is_string() ? found->get<std::string>() : "";
}

// All of the text is one number, decimal.
inline std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool is_number = !text.empty() && read.ec == std::errc() && read.ptr == end;
  return is_number ? std::optional(number) : std::nullopt;
}

// A distance in bytes or words, far less than what overflows; 0 when it is missing.
inline std::int64_t offset_of(const nlohmann::json& arguments, const char* key) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  return std::clamp(arguments.value(key, std::int64_t{0}), -kFar, kFar);
}

}  // namespace nplab::tools
