// What lies under a mappings folder: algorithms (folders with a manifest) and the mapping files
// beside each manifest.
#pragma once

#include <string>
#include <vector>

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

 private:
  std::vector<AlgorithmListing> algorithms_;
  std::vector<MappingListing> mappings_;
};

}  // namespace nplab::mappings
