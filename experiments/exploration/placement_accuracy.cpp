#include "experiments/exploration/placement_accuracy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/exploration/evaluation.h"
#include "experiments/exploration/model_predictor.h"
#include "experiments/exploration/point_file.h"
#include "experiments/exploration/terrain.h"
#include "experiments/prediction/accuracy_claims.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPlacementsSchema = "nplab.bench.placements/1";
constexpr double kBoundAim = 0.9;        // of the bounds are right
constexpr unsigned kDrawsPerPoint = 50;  // for each point that is wanted

std::vector<Point> draw(const Space& space, std::size_t count, workloads::Random& random) {
  std::vector<Point> points;
  std::set<Point> seen;
  for (std::size_t i = 0; i < count * kDrawsPerPoint && points.size() < count; ++i) {
    Point point = space.random(random);
    const auto tail = Space::tail_of(point);
    std::fill(point.end() - static_cast<std::ptrdiff_t>(tail.size()), point.end(), 0);
    if (seen.insert(point).second && space.is_canonical(point) && space.is_legal(point))
      points.push_back(point);
  }
  return points;
}

double seconds_of(const std::function<void()>& work) {
  const auto started = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

// Of this process and of the compilers that have ended.
double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage use{};
    getrusage(who, &use);
    for (const timeval& time : {use.ru_utime, use.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

// `engine0-2,5` as engine0, engine1, engine2, engine5; another name as it is.
std::vector<std::string> resources_of(const std::string& name) {
  constexpr std::string_view kEngine = "engine";
  if (!name.starts_with(kEngine))
    return {name.starts_with("ports") ? "ports" : name};
  std::vector<std::string> engines;
  const char* at = name.c_str() + kEngine.size();
  while (*at != '\0') {
    char* end = nullptr;
    const auto first = std::strtoul(at, &end, 10);
    const auto last = *end == '-' ? std::strtoul(end + 1, &end, 10) : first;
    for (auto engine = first; engine <= last; ++engine)
      engines.push_back(fmt::format("engine{}", engine));
    at = *end == ',' ? end + 1 : end;
    if (end == at && *end != '\0')
      break;
  }
  return engines;
}

class Comparison {
 public:
  Comparison(const PlacementAccuracyOptions& options, const Terrain& terrain,
             ComparedPlacements& compared)
      : options_(options), space_(terrain.space), inputs_(terrain.inputs), compared_(compared) {}

  void compare(const std::string& algorithm, const std::vector<Point>& points, std::size_t bounds,
               const std::function<void()>& progress, Diagnostics& diagnostics) {
    ModelPredictor predictor(space_, inputs_, options_.experiment);
    if (!options_.folder.empty() && !points.empty())
      keep_profiled(algorithm, space_.finest(points.front()), diagnostics);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ComparedPlacement placement;
      placement.algorithm = algorithm;
      placement.choices = fmt::format("{}", fmt::join(space_.choices(points[i]), "; "));
      Diagnostics not_compiled;
      const auto from_parts = predictor.predict(points[i]);
      const double started = processor_seconds();
      const auto predicted = predictor.predict_compiled(points[i], not_compiled);
      compiled_seconds_ += processor_seconds() - started;
      if (predicted && from_parts) {
        placement.predicted = predicted->packets_per_s;
        placement.from_parts = from_parts->packets_per_s;
        placement.predicted_bound = predicted->bound.resource;
        simulate(points[i], i < bounds, placement, diagnostics);
      } else {
        compared_.failures.push_back(placement.choices +
                                     ": not predicted: " + not_compiled.to_string());
      }
      progress();
    }
    measure(points, predictor);
  }

  [[nodiscard]] double placed_seconds() const { return placed_seconds_; }
  [[nodiscard]] double bound_seconds() const { return bound_seconds_; }
  [[nodiscard]] double compiled_seconds() const { return compiled_seconds_; }

 private:
  void simulate(const Point& point, bool with_bounds, ComparedPlacement& placement,
                Diagnostics& diagnostics) {
    const auto folder = TemporaryFolder::create("nplab-placements", diagnostics);
    const auto file =
        folder ? write_point(space_, point, folder->path().string(), diagnostics) : std::string();
    if (diagnostics.has_errors())
      return;
    keep(file, placement, diagnostics);
    const Outcome outcome = run_listed(file, options_.experiment);
    if (!outcome.figures || outcome.figures->packets_per_s <= 0) {
      compared_.failures.push_back(placement.choices + ": " + outcome.failure);
      return;
    }
    placement.simulated = outcome.figures->packets_per_s;
    if (with_bounds)
      find_bound(file, point, placement);
    compared_.placements.push_back(placement);
  }

  // What all predictions of an algorithm are made from.
  void keep_profiled(const std::string& algorithm, const Point& point, Diagnostics& diagnostics) {
    const auto folder = TemporaryFolder::create("nplab-placements", diagnostics);
    const auto file =
        folder ? write_point(space_, point, folder->path().string(), diagnostics) : std::string();
    if (!diagnostics.has_errors())
      keep_as(file, algorithm + "-profiled.yaml", diagnostics);
  }

  void keep(const std::string& file, ComparedPlacement& placement, Diagnostics& diagnostics) {
    if (options_.folder.empty())
      return;
    placement.mapping =
        keep_as(file, fmt::format("{}-{}.yaml", placement.algorithm, ++kept_), diagnostics);
  }

  // The path that it is kept under.
  std::string keep_as(const std::string& file, const std::string& name, Diagnostics& diagnostics) {
    namespace fs = std::filesystem;
    const fs::path kept = fs::path(options_.folder) / name;
    std::error_code failure;
    fs::create_directories(kept.parent_path(), failure);
    fs::copy_file(file, kept, fs::copy_options::overwrite_existing, failure);
    if (failure)
      diagnostics.error({kept.string(), 0, 0}, "the mapping cannot be kept: " + failure.message());
    return kept.string();
  }

  // The engines of each stage are free together, as the prediction has them.
  void find_bound(const std::string& file, const Point& point, ComparedPlacement& placement) {
    std::set<std::string> resources = {"sram", "sdram", "scratch", "ports"};
    resources.insert(placement.predicted_bound.starts_with("ports") ? "ports"
                                                                    : placement.predicted_bound);
    for (const std::string& engines : engines_of_stages(point))
      resources.insert(engines);
    for (const std::string& resource : resources) {
      ExperimentOptions without = options_.experiment;
      without.without = resources_of(resource);
      const Outcome outcome = run_listed(file, without);
      if (!outcome.figures)
        continue;
      const double gain = 100 * (outcome.figures->packets_per_s / placement.simulated - 1);
      if (placement.simulated_bound.empty() || gain > placement.largest_gain_pct) {
        placement.simulated_bound = resource;
        placement.largest_gain_pct = gain;
      }
      const bool is_predicted = resources_of(placement.predicted_bound) == resources_of(resource);
      if (is_predicted)
        placement.gain_of_predicted_pct = gain;
    }
  }

  [[nodiscard]] std::set<std::string> engines_of_stages(const Point& point) const {
    std::set<std::string> names;
    for (const auto& stage : space_.mapping(point).stages) {
      std::vector<std::string> engines;
      for (const auto& engine : stage.engines)
        engines.push_back(fmt::format("{}", engine.value));
      if (!engines.empty())
        names.insert("engine" + fmt::format("{}", fmt::join(engines, ",")));
    }
    return names;
  }

  // With the profile at hand, as a search predicts.
  void measure(const std::vector<Point>& points, ModelPredictor& predictor) {
    placed_seconds_ = seconds_of([&] {
      for (const Point& point : points)
        predictor.predict(point);
    });
    bound_seconds_ = seconds_of([&] {
      for (const Point& point : points)
        predictor.predict_with_bound(point);
    });
  }

  const PlacementAccuracyOptions& options_;
  const Space& space_;
  const ExperimentInputs& inputs_;
  ComparedPlacements& compared_;
  double placed_seconds_ = 0;
  double bound_seconds_ = 0;
  double compiled_seconds_ = 0;
  std::size_t kept_ = 0;
};

Json to_json(const ComparedPlacement& placement) {
  Json json = {{"algorithm", placement.algorithm},
               {"choices", placement.choices},
               {"predicted_packets_per_s", placement.predicted},
               {"simulated_packets_per_s", placement.simulated},
               {"error_pct", placement.error_pct()},
               {"predicted_from_parts_packets_per_s", placement.from_parts},
               {"predicted_bound", placement.predicted_bound}};
  if (!placement.mapping.empty())
    json["mapping"] = placement.mapping;
  if (!placement.simulated_bound.empty())
    json.update({{"simulated_bound", placement.simulated_bound},
                 {"largest_gain_pct", placement.largest_gain_pct},
                 {"gain_of_predicted_pct", placement.gain_of_predicted_pct}});
  return json;
}

}  // namespace

ComparedPlacements compare_placements(const PlacementAccuracyOptions& options,
                                      const std::function<void(double)>& progress,
                                      Diagnostics& diagnostics) {
  ComparedPlacements compared;
  workloads::Random random(options.seed);
  const std::size_t algorithms = std::max<std::size_t>(1, options.algorithms.size());
  double done = 0, predicted = 0, placed_seconds = 0, bound_seconds = 0, compiled_seconds = 0;
  for (const std::string& algorithm : options.algorithms) {
    ExplorationRequest request;
    request.algorithm = algorithm;
    request.options = options.experiment;
    const auto terrain = survey(request, diagnostics);
    if (!terrain)
      return compared;
    const auto points = draw(terrain->space, options.placements / algorithms, random);
    Comparison comparison(options, *terrain, compared);
    comparison.compare(
        algorithm, points, options.bounds / algorithms,
        [&] { progress(++done / static_cast<double>(options.placements)); }, diagnostics);
    predicted += static_cast<double>(points.size());
    placed_seconds += comparison.placed_seconds();
    bound_seconds += comparison.bound_seconds();
    compiled_seconds += comparison.compiled_seconds();
  }
  compared.placed_per_s = placed_seconds > 0 ? predicted / placed_seconds : 0;
  compared.compiled_s = predicted > 0 ? compiled_seconds / predicted : 0;
  compared.bounds_per_s = bound_seconds > 0 ? predicted / bound_seconds : 0;
  return compared;
}

Json placements_json(const ComparedPlacements& compared) {
  Json list = Json::array();
  std::vector<PredictedRate> rates;
  double checked = 0, right = 0;
  for (const ComparedPlacement& placement : compared.placements) {
    list.push_back(to_json(placement));
    rates.push_back({placement.algorithm, placement.predicted, placement.simulated});
    if (placement.simulated_bound.empty())
      continue;
    checked += 1;
    right += placement.has_right_bound() ? 1 : 0;
  }
  Json claims = rate_claims(rates, "placements");
  if (checked > 0)
    claims.push_back(claim("share of bounds that are right", kBoundAim, right / checked,
                           right / checked >= kBoundAim));
  return {{"schema", kPlacementsSchema},
          {"placements", list},
          {"failures", compared.failures},
          {"host",
           {{"predictions_per_s", compared.placed_per_s},
            {"predictions_with_bound_per_s", compared.bounds_per_s},
            {"seconds_of_a_compiled_prediction", compared.compiled_s}}},
          {"claims", claims}};
}

}  // namespace nplab::experiments
