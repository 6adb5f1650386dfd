#include "workloads/rules/interfaces.h"

#include <algorithm>

namespace nplab::workloads {

std::optional<PacketInterfaces> parse_interfaces(std::string_view text) {
  PacketInterfaces interfaces;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    if (equals == std::string_view::npos || equals + 1 == part.size())
      return std::nullopt;
    auto& named = key == "in" ? interfaces.in : interfaces.out;
    if ((key != "in" && key != "out") || named)
      return std::nullopt;
    named = std::string(part.substr(equals + 1));
    at = end + 1;
  }
  return interfaces;
}

bool names_interface(std::string_view pattern, char wildcard, std::string_view interface) {
  if (!pattern.empty() && pattern.back() == wildcard)
    return interface.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == interface;
}

}  // namespace nplab::workloads
