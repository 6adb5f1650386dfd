// The mappings, chips and workloads that nplab can see, by name or as files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

struct DataFile {
  std::string name;
  std::string path;
};

enum class DataKind { kMapping, kChip, kWorkload, kAlgorithm, kRuleProfile, kStudy };

// Everything of a kind under the data directory, by name. Algorithms are the folders under
// mappings/ with a manifest; mappings the other YAML files in those folders.
std::vector<DataFile> list_data_files(DataKind kind);

// The path that a user's word names: an existing file, or one of the listed names. Otherwise an
// error at `location` with the nearest name.
std::optional<std::string> find_data_file(DataKind kind, const std::string& word,
                                          const SourceLocation& location, Diagnostics& diagnostics);

}  // namespace nplab::experiments
