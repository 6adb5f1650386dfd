// Files of this folder that are compiled in by reports/CMakeLists.txt, so that an installed program needs none beside it.
#pragma once

#include <string_view>

namespace nplab::reports {

extern const std::string_view kReportStyle;     // report.css
extern const std::string_view kReportScript;    // report.js
extern const std::string_view kTimelineScript;  // timeline.js
extern const std::string_view kChartLibrary;    // vendor/echarts.min.js
extern const std::string_view kGlossaryText;    // ../glossary.yaml

}  // namespace nplab::reports
