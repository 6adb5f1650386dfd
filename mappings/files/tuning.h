// Tuning keys: what the publication leaves open about generated code, by name. A mapping sets one
// with its reason:
//   tuning: {receive_yields: {value: 1, reason: "..."}}
// Each becomes the macro TUNE_NAME of the composed C. To add one, add a row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::mappings {

struct TuningKey {
  const char* name;
  std::int64_t default_value;
  std::int64_t min;
  std::int64_t max;
  const char* summary;
};

const std::vector<TuningKey>& tuning_keys();
const TuningKey* find_tuning_key(std::string_view name);  // null when there is none
std::vector<std::string> tuning_key_names();

}  // namespace nplab::mappings
