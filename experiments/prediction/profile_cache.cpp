#include "experiments/prediction/profile_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/program_identity.h"
#include "mappings/resolver/show.h"
#include "support/input_file.h"
#include "support/sha256.h"
#include "workloads/traffic/arrival.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

// Names and digests of the C sources in a folder.
std::string sources_in(const fs::path& folder) {
  std::vector<std::string> sources;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".c" && extension != ".h" && extension != ".yaml")
      continue;
    Diagnostics ignored;
    if (const auto file = read_input_file(entry.path().string(), ignored))
      sources.push_back(entry.path().filename().string() + " " + file->sha256);
  }
  std::sort(sources.begin(), sources.end());
  return fmt::format("{}", fmt::join(sources, "\n"));
}

}  // namespace

std::optional<ContentCache> profile_cache() {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  const auto folder = cache_folder();
  if (!folder)
    return std::nullopt;
  return ContentCache(*folder / "profiles", kMostBytes);
}

std::string profile_key(const Experiment& experiment) {
  const auto& inputs = experiment.inputs;
  std::string text = fmt::format("{}\n{}\n{} packets\n", kDemandsSchema,
                                 program_identity().build_id, experiment.manifest.profile_packets);
  for (const reports::Input* input :
       {&inputs.mapping, &inputs.chip, &inputs.rules, &inputs.traffic, &inputs.workload})
    text += input->name + " " + input->sha256 + "\n";
  text += fmt::format("{}\n", fmt::join(experiment.options.set, "\n"));
  text += mappings::show_text(experiment.placement());
  text += fmt::format("arrival {}\nkey {}\nseed {}\nports", to_string(experiment.workload.arrival),
                      static_cast<int>(experiment.workload.l4_key), experiment.workload.seed);
  for (const auto port : experiment.workload.ports_in)
    text += fmt::format(" {}", port.value());
  text += "\n" + sources_in(experiment.placement().algorithm_folder);
  for (const std::string& folder : library_folders())
    text += "\n" + sources_in(folder);
  if (inputs.profile)
    text += "\nbranches " + inputs.profile->sha256;
  return sha256_hex(text);
}

std::optional<AlgorithmProfile> obtain_profile(const Experiment& experiment,
                                               Diagnostics& diagnostics) {
  const auto cache = profile_cache();
  const std::string key = profile_key(experiment);
  if (const auto kept = cache ? cache->find(key) : std::nullopt) {
    if (auto profile = profile_from_json(*kept)) {
      profile->cached = true;
      return profile;
    }
  }
  auto profile = measure_profile(experiment, diagnostics);
  if (profile && cache)
    cache->store(key, profile_to_json(*profile));
  return profile;
}

}  // namespace nplab::experiments
