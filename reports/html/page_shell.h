// A page that is one file: its style and scripts are in it. Private to reports and to the pages
// that other layers make of its elements.
#pragma once

#include <string>

namespace nplab::reports::html {

enum class Scripts {
  kTables,  // tables sort, drawings can be saved
  kCharts,  // and charts, timelines and sources of runs
};

// `body` is HTML; `title` is text.
std::string page(const std::string& title, const std::string& body, Scripts scripts);

}  // namespace nplab::reports::html
