// Files of this folder, compiled in by reports/CMakeLists.txt, so that an installed program needs
// none beside it.
#pragma once

#include <array>
#include <string_view>

namespace nplab::reports {

extern const std::string_view kReportStyle;   // report.css
extern const std::string_view kChartLibrary;  // vendor/echarts.min.js
extern const std::string_view kUnpackScript;  // unpack.js, which opens these
extern const std::string_view kGlossaryText;  // ../glossary.yaml
// The page's own scripts in the order in which they run; each uses those before it.
extern const std::array<std::string_view, 6> kReportScripts;

}  // namespace nplab::reports
