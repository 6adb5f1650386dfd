#include "reports/html/script_data.h"

#include <fmt/format.h>

#include "reports/html/packed_text.h"

namespace nplab::reports::html {

std::string script_data(const char* name, const Json& value) {
  constexpr std::size_t kShort = 4096;  // bytes that are not worth compressing
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kShort)
    return packed_element(name, text, Packed::kData);
  std::string html = fmt::format("<script type=\"application/json\" class=\"{}\">", name);
  // No text in it looks like a tag.
  for (const char c : text) {
    if (c == '<')
      html += "\\u003c";
    else
      html += c;
  }
  return html + "</script>\n";
}

}  // namespace nplab::reports::html
