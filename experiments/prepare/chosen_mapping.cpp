#include "experiments/prepare/chosen_mapping.h"

#include <filesystem>
#include <string_view>

namespace nplab::experiments {

ChosenMapping parse_chosen_mapping(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || text.find('=', colon) == std::string::npos ||
      std::filesystem::exists(text))
    return {text, {}};
  ChosenMapping chosen{text.substr(0, colon), {}};
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const std::string_view part = rest.substr(0, end);
    if (part.find('=') == std::string_view::npos && !chosen.set.empty())
      (chosen.set.back() += ':') += part;  // of a value
    else
      chosen.set.emplace_back(part);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return chosen;
}

}  // namespace nplab::experiments
