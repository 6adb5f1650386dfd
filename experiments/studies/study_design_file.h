// Reads what a study with several axes varies: `axes`, `sample`, `where`.
#pragma once

#include <string>
#include <vector>

#include "experiments/studies/study_design.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

struct StudyDesign {
  std::vector<std::string> names;
  std::vector<Combination> combinations;
  std::string summary;  // how they came about, for the head of the report
};

// `root` is a study whose keys have been checked; what depends on several keys is checked here, all
// errors at once.
StudyDesign read_study_design(const yaml::Node& root, Diagnostics& diagnostics);

}  // namespace nplab::experiments
