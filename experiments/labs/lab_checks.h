// The labs of a course (docs/labs): what each asks for, and whether a student's folder has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/labs/lab_variant.h"
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
  std::optional<yaml::Node> variants;  // what a variant may change
  LabVariant variant;                  // the lab's own figures, unless one was drawn
};

// The labs of the data directory, by number. What is wrong in a lab.yaml is reported.
std::vector<Lab> find_labs(Diagnostics& diagnostics);

// The lab with the figures that `seed` draws; nothing, and a diagnostic, for a lab without
// variants.
std::optional<Lab> with_variant(Lab lab, std::uint64_t seed, Diagnostics& diagnostics);

// A file of the lab as a student gets it: `name` in the lab's folder, with the figures of the
// variant. Nothing, and a diagnostic, when it cannot be read.
std::optional<std::string> text_of_file(const Lab& lab, const std::string& name,
                                        Diagnostics& diagnostics);

// One JSON object a check: `name`, `points`, `passed`, and what was `found` and `wanted` of each
// figure that was looked at; `error` when the command that it calls failed. Programs are run with
// inputs that are drawn from `seed`, which is not that of the variant. `program` is the nplab
// command.
nlohmann::ordered_json check_lab(const Lab& lab, const std::filesystem::path& folder,
                                 const std::string& program, std::uint64_t seed);

}  // namespace nplab::experiments
