// What lies under a mappings folder: algorithms (folders with a manifest) and the mapping files beside each manifest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::mappings {

struct AlgorithmListing {
  std::string name;      // the folder's
  std::string manifest;  // path
};

struct MappingListing {
  std::string name;       // the file's, without .yaml
  std::string algorithm;  // the folder's name
  std::string path;
};

class Catalog {
 public:
  // Looks into `folder`; a folder that cannot be read gives an empty catalog.
  explicit Catalog(const std::string& folder);

  // Algorithms by name; mappings by algorithm and name.
  [[nodiscard]] const std::vector<AlgorithmListing>& algorithms() const { return algorithms_; }
  [[nodiscard]] const std::vector<MappingListing>& mappings() const { return mappings_; }

  // The path that a user's word means: a listed name, or a file. Anything else is reported with the nearest name.
  std::optional<std::string> find_mapping(const std::string& name_or_path, Diagnostics& diagnostics) const;

  // The path of an algorithm's manifest; an unknown algorithm is reported at `location`.
  std::optional<std::string> find_manifest(const std::string& algorithm, const SourceLocation& location,
                                           Diagnostics& diagnostics) const;

 private:
  std::vector<AlgorithmListing> algorithms_;
  std::vector<MappingListing> mappings_;
};

}  // namespace nplab::mappings
