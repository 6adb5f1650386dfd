#include "experiments/exploration/model_predictor.h"

#include "experiments/exploration/point_file.h"
#include "experiments/prediction/code/code_prices.h"
#include "experiments/prediction/profile_cache.h"
#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/place.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {

ModelPredictor::Profiled ModelPredictor::measure(const Point& point) const {
  Diagnostics diagnostics;
  Profiled measured;
  const auto folder = TemporaryFolder::create("nplab-explore", diagnostics);
  const auto file =
      folder ? write_point(space_, point, folder->path().string(), diagnostics) : std::string();
  auto experiment =
      diagnostics.has_errors() ? std::nullopt : prepare_experiment(file, options_, diagnostics);
  if (!experiment || !can_predict(*experiment, diagnostics))
    return measured;
  measured.profile = obtain_profile(*experiment, diagnostics);
  for (const mappings::TablePlacement& table : experiment->placement().tables)
    measured.tables.push_back({table.name, table.bytes, ""});
  measured.experiment = std::move(experiment);
  return measured;
}

ModelPredictor::Profiled& ModelPredictor::profiled(const Point& point) {
  const auto tail = Space::tail_of(point);
  auto at = profiled_.find(tail);
  if (at == profiled_.end())
    at = profiled_.emplace(tail, measure(space_.finest(point))).first;
  return at->second;
}

MappingFigures ModelPredictor::figures_of(const Prediction& prediction, const Point& point) const {
  MappingFigures figures;
  figures.packets_per_s = prediction.packets_per_s;
  figures.latency_p50_cycles = prediction.latency_p50_cycles;
  figures.latency_p99_cycles = prediction.latency_p50_cycles;
  figures.engines = space_.structure(point).all_engines();
  figures.bound = {prediction.bound.resource, prediction.bound.use_pct,
                   prediction.bound.gain_if_removed_pct};
  return figures;
}

std::optional<mappings::Placement> ModelPredictor::place(const Point& point, const Profiled& of,
                                                         Diagnostics& diagnostics) const {
  const auto linked = mappings::link(space_.mapping(point), space_.inputs().manifest,
                                     space_.inputs().chip, diagnostics);
  return mappings::place_sized(*linked, inputs_.workload.rules, of.tables, diagnostics);
}

std::optional<MappingFigures> ModelPredictor::predict_compiled(const Point& point,
                                                               Diagnostics& diagnostics) {
  Profiled& of = profiled(point);
  auto placement = of.profile ? place(point, of, diagnostics) : std::nullopt;
  if (!placement)
    return std::nullopt;
  auto placed = std::make_shared<mappings::PlacedMapping>();
  placed->placement = std::move(*placement);
  of.experiment->mapping = space_.mapping(point);
  of.experiment->placed = std::move(placed);
  if (!of.pricer)
    of.pricer.emplace(*of.profile);
  const auto priced = of.pricer->price(*of.experiment, diagnostics);
  if (!priced)
    return std::nullopt;
  return figures_of(experiments::predict(*priced, *of.experiment), point);
}

std::optional<MappingFigures> ModelPredictor::predict(const Point& point, PredictionDetail detail) {
  const Profiled& of = profiled(point);
  Diagnostics diagnostics;
  const auto placement = of.profile ? place(point, of, diagnostics) : std::nullopt;
  if (!placement)
    return std::nullopt;
  const Prediction prediction = experiments::predict(
      *of.profile,
      PredictionInputs{*placement, inputs_.chip, inputs_.workload, is_lossless(options_.arrival)},
      detail);
  return figures_of(prediction, point);
}

std::optional<MappingFigures> ModelPredictor::predict(const Point& point) {
  return predict(point, PredictionDetail::kRates);
}

std::optional<MappingFigures> ModelPredictor::predict_with_bound(const Point& point) {
  return predict(point, PredictionDetail::kBound);
}

}  // namespace nplab::experiments
