#include "reports/html/page_shell.h"

#include <fmt/format.h>

#include "reports/glossary/embedded.h"
#include "reports/html/elements.h"
#include "reports/html/packed_text.h"

namespace nplab::reports::html {
namespace {

std::string script_elements(Scripts scripts) {
  std::string html;
  if (scripts == Scripts::kCharts)
    html += packed_element("library", kChartLibrary, Packed::kScript);
  for (const std::string_view text : kPageScripts)
    html += packed_element("part", text, Packed::kScript);
  if (scripts == Scripts::kCharts)
    for (const std::string_view text : kReportScripts)
      html += packed_element("part", text, Packed::kScript);
  return html + "<script>\n" + std::string(kUnpackScript) + "</script>\n";
}

}  // namespace

std::string page(const std::string& title, const std::string& body, Scripts scripts) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
             "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
             "name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n",
             escaped(title)) +
         std::string(kReportStyle) + "</style>\n</head>\n<body>\n" + body +
         script_elements(scripts) + "</body>\n</html>\n";
}

}  // namespace nplab::reports::html
