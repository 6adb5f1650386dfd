#include "experiments/studies/study_points.h"

#include <fmt/format.h>

#include <regex>

namespace nplab::experiments {

StudyPoint label_of(const std::vector<std::string>& names, const Combination& values) {
  std::string label;
  for (std::size_t i = 0; i < names.size(); ++i)
    label += fmt::format("{}{}={}", i == 0 ? "" : ", ", names[i], values[i]);
  return label;
}

std::vector<std::string> placeholders(const std::string& text) {
  static const std::regex kPlaceholder(R"(\{([A-Za-z_][A-Za-z0-9_.]*)\})");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kPlaceholder), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

std::string with_value(std::string text, const std::string& name, const std::string& value) {
  const std::string placeholder = "{" + name + "}";
  for (auto at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size())) {
    text.replace(at, placeholder.size(), value);
  }
  return text;
}

std::string with_point(std::string text, const Study& study, const StudyPoint& point) {
  const Combination values = values_at(study, point);
  for (std::size_t i = 0; i < values.size(); ++i)
    text = with_value(std::move(text), study.names[i], values[i]);
  return text;
}

Combination values_at(const Study& study, const StudyPoint& point) {
  return study.has_axes() ? study.combinations.at(point) : Combination{point};
}

StudyPoint referred_point(const Study& study, const StudyReference& reference,
                          const StudyPoint& at) {
  if (!study.has_axes())
    return reference.at.value_or(at);
  Combination values = values_at(study, at);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto other = reference.with.find(study.names[i]);
    if (other != reference.with.end())
      values[i] = other->second;
  }
  return label_of(study.names, values);
}

std::string at_point(const Study& study, const StudyPoint& point) {
  return study.has_axes() ? "at " + point : fmt::format("at {} {}", study.axis, point);
}

}  // namespace nplab::experiments
