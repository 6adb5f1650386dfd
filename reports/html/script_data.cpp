#include "reports/html/script_data.h"

#include <fmt/format.h>

namespace nplab::reports::html {

std::string script_data(const char* name, const Json& value) {
  std::string html = fmt::format("<script type=\"application/json\" class=\"{}\">", name);
  // No text in it looks like a tag.
  for (const char c : value.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      html += "\\u003c";
    else
      html += c;
  }
  return html + "</script>\n";
}

}  // namespace nplab::reports::html
