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
// The pages' own scripts in the order in which they run: of any page, then of a report of runs.
extern const std::array<std::string_view, 3> kPageScripts;
extern const std::array<std::string_view, 6> kReportScripts;

}  // namespace nplab::reports
