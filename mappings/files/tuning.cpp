#include "mappings/files/tuning.h"

#include <algorithm>

namespace nplab::mappings {

const std::vector<TuningKey>& tuning_keys() {
  static const std::vector<TuningKey> kKeys = {
      {"receive_work", 0, 0, 512,
       "Instructions per packet that the published receive code spends beyond ours"},
      {"transmit_work", 0, 0, 512,
       "Instructions per packet that the published transmit code spends beyond ours"},
      {"classify_work", 0, 0, 2048,
       "Instructions per packet that the published classification code spends beyond ours, in "
       "equal "
       "parts in the stages of tasks"},
      {"poll_work", 0, 0, 512,
       "Instructions between two looks at a queue that has nothing, or no room"},
      {"poll_yields", 0, 0, 1,
       "1: a thread that finds its queue empty lets the others run before it looks again"},
  };
  return kKeys;
}

const TuningKey* find_tuning_key(std::string_view name) {
  const auto& keys = tuning_keys();
  const auto at = std::find_if(keys.begin(), keys.end(),
                               [&](const TuningKey& key) { return key.name == name; });
  return at == keys.end() ? nullptr : &*at;
}

std::vector<std::string> tuning_key_names() {
  std::vector<std::string> names;
  for (const TuningKey& key : tuning_keys())
    names.emplace_back(key.name);
  return names;
}

}  // namespace nplab::mappings
