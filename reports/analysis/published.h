// The published IXP1200 measurements of 2003 (reports/published/), as data.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::reports {

// The files' contents, compiled in by reports/CMakeLists.txt.
extern const char* const kPublishedOverallCsv;
extern const char* const kPublishedEnginesCsv;

struct PublishedEngine {
  std::string role;
  double executing_pct = 0;
  double aborted_pct = 0;
  double idle_pct = 0;
  double mips = 0;
};

struct PublishedRun {
  std::string mapping;                    // as printed: LS, BV1
  std::map<std::string, double> overall;  // by metric, in the unit of the file
  std::vector<PublishedEngine> engines;   // by engine number
};

// The published run of a mapping, by its name in any case; null when the publication's tables here
// have none.
const PublishedRun* find_published(std::string_view mapping);

}  // namespace nplab::reports
