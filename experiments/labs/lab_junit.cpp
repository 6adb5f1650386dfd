#include "experiments/labs/lab_junit.h"

#include <fmt/format.h>

#include <string_view>

namespace nplab::experiments {
namespace {

// XML 1.0 has no way to write control characters; a submission's output may hold any.
std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\n': escaped += "&#10;"; break;
      default: escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return escaped;
}

// JSON's replacement of what is not UTF-8, for figures of any type.
std::string value_text(const nlohmann::ordered_json& value) {
  return value.is_string()
             ? value.get<std::string>()
             : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string wrong_figures(const nlohmann::ordered_json& check) {
  std::string text;
  for (const auto& figure : check.value("figures", nlohmann::ordered_json::array())) {
    if (figure.at("passed").get<bool>())
      continue;
    text += fmt::format("{}{}: found {}, wanted {}", text.empty() ? "" : "\n",
                        figure.at("what").get<std::string>(),
                        value_text(figure.value("found", nlohmann::ordered_json())),
                        value_text(figure.value("wanted", nlohmann::ordered_json())));
  }
  return text;
}

std::string test_case(const nlohmann::ordered_json& check, unsigned lab) {
  std::string text = fmt::format("    <testcase classname=\"lab{}\" name=\"{} ({} points)\"", lab,
                                 xml_text(check.at("name").get<std::string>()),
                                 check.at("points").get<unsigned>());
  if (check.at("passed").get<bool>())
    return text + "/>\n";
  const bool is_error = check.contains("error");
  const std::string why = is_error ? value_text(check.at("error")) : wrong_figures(check);
  const char* kind = is_error ? "error" : "failure";
  return text +
         fmt::format(">\n      <{0} message=\"{1}\"/>\n    </testcase>\n", kind, xml_text(why));
}

}  // namespace

std::string lab_junit(const nlohmann::ordered_json& checked) {
  const auto lab = checked.at("lab").get<unsigned>();
  std::size_t failures = 0, errors = 0;
  std::string cases;
  for (const auto& check : checked.at("checks")) {
    cases += test_case(check, lab);
    const bool is_error = check.contains("error");
    failures += check.at("passed").get<bool>() || is_error ? 0 : 1;
    errors += !check.at("passed").get<bool>() && is_error ? 1 : 0;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"lab {}: {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}"
      "  </testsuite>\n</testsuites>\n",
      lab, xml_text(checked.at("title").get<std::string>()), checked.at("checks").size(), failures,
      errors, cases);
}

}  // namespace nplab::experiments
