#include "experiments/exploration/terrain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/prepare/data_files.h"
#include "experiments/prepare/port_rate.h"
#include "mappings/files/manifest.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultChip = "ixp1200";
constexpr const char* kDefaultWorkload = "published";
constexpr std::uint64_t kSampleSeed = 1;
constexpr std::uint64_t kSample = 4'000;  // points; 0.8 points of standard error at most

// As a mapping file names it wherever it lies: a file by its complete path.
std::string name_in_mapping(const std::string& given, const char* otherwise) {
  if (given.empty())
    return otherwise;
  std::error_code unreadable;
  return fs::is_regular_file(given, unreadable) ? fs::absolute(given).string() : given;
}

unsigned ports_of(const workloads::Workload& workload) {
  unsigned ports = 0;
  for (const workloads::PortId port : workload.ports_in)
    ports = std::max(ports, port.value() + 1);
  return ports;
}

// A search places stages on engines and predicts them; units beside the engines are not in its
// model.
void refuse_units(const mappings::Manifest& manifest, Diagnostics& diagnostics) {
  for (const mappings::TableDeclaration& table : manifest.tables)
    if (!table.unit.empty())
      diagnostics.error(table.location,
                        fmt::format("the search does not include the unit '{}' of a chip, which "
                                    "the tasks of '{}' use; compare mappings with `nplab compare`",
                                    table.unit, manifest.algorithm));
}

}  // namespace

std::optional<Terrain> survey(const ExplorationRequest& request, Diagnostics& diagnostics,
                              const PreparationProgress& progress) {
  const auto path = find_data_file(DataKind::kAlgorithm, request.algorithm,
                                   without_lines(request.algorithm), diagnostics);
  auto manifest = path ? mappings::read_manifest(*path, diagnostics) : std::nullopt;
  auto inputs = read_experiment_inputs(kDefaultChip, kDefaultWorkload, request.options, diagnostics,
                                       progress);
  if (manifest)
    refuse_units(*manifest, diagnostics);
  if (!manifest || !inputs || diagnostics.has_errors())
    return std::nullopt;
  const mappings::ChipFacts chip = facts_of(inputs->chip);
  auto description = request.space.empty()
                         ? std::optional(default_space(*manifest, chip))
                         : read_space(request.space, *manifest, chip, diagnostics);
  if (!description)
    return std::nullopt;
  auto space =
      Space::make({.manifest = std::move(*manifest),
                   .chip = chip,
                   .chip_name = name_in_mapping(request.options.chip, kDefaultChip),
                   .workload_name = name_in_mapping(request.options.workload, kDefaultWorkload),
                   .dimensions = static_cast<unsigned>(inputs->workload.rules.fields().size()),
                   .ports = ports_of(inputs->workload),
                   .description = std::move(*description)},
                  diagnostics);
  if (!space)
    return std::nullopt;
  const double rate = port_rate(inputs->chip, inputs->workload);
  return Terrain{std::move(*space), std::move(*inputs), rate};
}

SpaceCount count_points(const Space& space, const std::function<void(double)>& progress) {
  SpaceCount count;
  count.points = space.points();
  const bool is_sample = count.points > kMostChecked;
  const std::uint64_t wanted = is_sample ? kSample : count.points;
  std::uint64_t legal = 0;
  const auto check = [&](const Point& point) {
    legal += space.is_legal(point) ? 1 : 0;
    ++count.checked;
    if (progress)
      progress(static_cast<double>(count.checked) / static_cast<double>(wanted));
    return true;
  };
  if (is_sample) {
    workloads::Random random(kSampleSeed);
    while (count.checked < wanted)
      check(space.random(random));
  } else {
    space.for_each(check);
  }
  count.legal = legal;
  if (is_sample) {
    const double share = static_cast<double>(legal) / static_cast<double>(count.checked);
    count.legal =
        static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count.points)));
  }
  return count;
}

std::optional<double> parse_duration(const std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto dots = std::count(text.begin(), text.end(), '.');
  constexpr std::pair<const char*, double> kUnits[] = {
      {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
  for (const auto& [unit, seconds] : kUnits) {
    if (end == 0 || end > 9 || dots > 1 || text.front() == '.' || text.substr(end) != unit)
      continue;
    const double value = std::stod(text.substr(0, end)) * seconds;
    return value > 0 ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace nplab::experiments
