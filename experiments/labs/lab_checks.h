// The labs of a course (docs/labs): what each asks for, and whether a student's folder has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

struct Lab {
  unsigned number = 0;
  std::string title;
  std::string aim;                 // what one can do after it
  unsigned minutes = 0;            // that it takes
  unsigned points = 0;             // of all its checks
  std::filesystem::path folder;    // where its task, starting files and lab.yaml lie
  std::vector<std::string> files;  // that a student begins with
  std::vector<std::string> hints;  // each says more than the one before
  yaml::Node checks;
};

// The labs of the data directory, by number. What is wrong in a lab.yaml is reported.
std::vector<Lab> find_labs(Diagnostics& diagnostics);

// One JSON object a check: `name`, `points`, `passed`, and what was `found` and `wanted` of each
// figure that was looked at; `error` when the command that it calls failed. Programs are run with
// inputs that are drawn from `seed`. `program` is the nplab command.
nlohmann::ordered_json check_lab(const Lab& lab, const std::filesystem::path& folder,
                                 const std::string& program, std::uint64_t seed);

}  // namespace nplab::experiments
