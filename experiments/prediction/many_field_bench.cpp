#include "experiments/prediction/many_field_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/prediction/many_field_model.h"
#include "experiments/prepare/data_files.h"
#include "experiments/run/comparison.h"
#include "support/input_file.h"
#include "workloads/rules/field_profile.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kManyFieldSchema = "nplab.bench.many_field/1";
constexpr const char* kProfile = "openflow";
constexpr const char* kMapping = "many-field-data";
constexpr const char* kStage = "classify";
constexpr unsigned kEngines = 16;  // as many cores as in print
constexpr double kCloseFit = 10;   // percent

// Fields of the publication's superfields, by name.
const std::vector<std::vector<std::string>>& superfields() {
  static const std::vector<std::vector<std::string>> kFields = {
      {"eth_type", "mpls_lbl", "tos"}, {"in_port", "vid", "vprty", "prtl", "mpls_tfc"}};
  return kFields;
}

struct Variant {
  const char* name;
  bool is_optimised;
};
constexpr std::array kVariants{Variant{"both optimisations", true}, Variant{"none", false}};

struct LoadPoint {
  std::size_t rules = 0;
  unsigned under_way = 1;
  friend auto operator<=>(const LoadPoint&, const LoadPoint&) = default;
};

class ManyFieldBench {
 public:
  ManyFieldBench(const ManyFieldBenchOptions& options, const std::function<void(double)>& progress,
                 Diagnostics& diagnostics)
      : options_(options), progress_(progress), diagnostics_(diagnostics) {}

  Json run() {
    if (!read_profile())
      return nullptr;
    Json json{
        {"schema", kManyFieldSchema}, {"packets", options_.packets}, {"variants", Json::array()}};
    for (const Variant& variant : kVariants) {
      Json row = compared(variant);
      if (row.is_null())
        return nullptr;
      json["variants"].push_back(std::move(row));
    }
    return json;
  }

 private:
  bool read_profile() {
    const auto path =
        find_data_file(DataKind::kRuleProfile, kProfile, {kProfile, 0, 0}, diagnostics_);
    const auto file = path ? read_input_file(*path, diagnostics_) : std::nullopt;
    auto profile = file ? workloads::parse_field_profile(*file, diagnostics_) : std::nullopt;
    if (profile)
      profile_ = std::move(*profile);
    return profile.has_value();
  }

  [[nodiscard]] ManyFieldShape shape_of(const Variant& variant) const {
    ManyFieldShape shape;
    shape.ends_early = variant.is_optimised;
    std::set<std::string> grouped;
    for (const auto& fields : superfields()) {
      if (!variant.is_optimised)
        break;
      shape.searches.push_back({false, fields});
      grouped.insert(fields.begin(), fields.end());
    }
    for (const workloads::ProfileField& one : profile_.fields) {
      if (!grouped.contains(one.field.name))
        shape.searches.push_back(
            {one.field.match == workloads::MatchKind::kExact, {one.field.name}});
    }
    return shape;
  }

  // Different values of a search among so many rules: no more than rules.
  [[nodiscard]] double unique_values(const DecomposedSearch& search, std::size_t rules) const {
    const auto count = static_cast<double>(rules);
    double values = 1;
    for (const workloads::ProfileField& one : profile_.fields) {
      if (std::find(search.fields.begin(), search.fields.end(), one.field.name) ==
          search.fields.end())
        continue;
      const double all = std::exp2(one.field.bits);
      values *= std::clamp(one.unique * count, 1.0, all);
    }
    return std::min(values, count);
  }

  [[nodiscard]] ModelAccesses accesses_of(const Variant& variant, std::size_t rules) const {
    const ManyFieldShape shape = shape_of(variant);
    std::vector<double> unique;
    for (const DecomposedSearch& search : shape.searches)
      unique.push_back(unique_values(search, rules));
    return model_accesses(shape, unique, rules);
  }

  // The bit of each field's number.
  [[nodiscard]] unsigned mask_of(const std::vector<std::string>& names) const {
    unsigned mask = 0;
    for (std::size_t i = 0; i < profile_.fields.size(); ++i) {
      if (std::find(names.begin(), names.end(), profile_.fields[i].field.name) != names.end())
        mask |= 1u << i;
    }
    return mask;
  }

  [[nodiscard]] ExperimentOptions options_of(const Variant& variant, const LoadPoint& point) const {
    ExperimentOptions options;
    options.chip = "grid";
    options.rules = fmt::format("gen:{},count={}", kProfile, point.rules);
    options.traffic = {fmt::format("gen:count={}", options_.packets)};
    options.arrival = parse_arrival_choice("lossless");
    options.packets = options_.packets;
    std::vector<unsigned> engines;
    for (unsigned engine = 1; engine <= kEngines; ++engine)
      engines.push_back(engine);
    options.set = {"chip.sdram.bytes=1G",
                   "chip.sram.bytes=32M",
                   fmt::format("stages.{}.engines=[{}]", kStage, fmt::join(engines, ",")),
                   fmt::format("stages.{}.placement=striped", kStage),
                   fmt::format("stages.{}.threads={}", kStage, point.under_way),
                   fmt::format("stages.transmit.engines=[{}]", kEngines + 1),
                   "queues.received.entries=64"};
    if (variant.is_optimised) {
      for (std::size_t i = 0; i < superfields().size(); ++i)
        options.set.push_back(
            fmt::format("parameters.superfield_{}={}", i + 1, mask_of(superfields()[i])));
    } else {
      options.set.emplace_back("parameters.sub_vector=0");
    }
    return options;
  }

  // Two runs at a time: the tables of the largest sets are large.
  bool simulate(const Variant& variant, const std::vector<LoadPoint>& points,
                std::map<LoadPoint, reports::RunRecord>& records) {
    constexpr std::size_t kTogether = 2;
    for (std::size_t first = 0; first < points.size(); first += kTogether) {
      std::vector<PreparedRun> prepared;
      const std::size_t end = std::min(points.size(), first + kTogether);
      for (std::size_t i = first; i < end; ++i) {
        auto runs = prepare_runs({kMapping}, options_of(variant, points[i]), diagnostics_);
        if (runs.empty())
          return false;
        sdram_ = runs.front().experiment.chip.sdram;
        prepared.push_back(std::move(runs.front()));
      }
      const auto found = simulate_runs(prepared, {}, [](double) {}, diagnostics_);
      if (!found)
        return false;
      for (std::size_t i = first; i < end; ++i)
        records[points[i]] = (*found)[i - first];
      done_ += static_cast<double>(end - first);
      if (progress_)
        progress_(done_ / static_cast<double>(kVariants.size() * points.size()));
    }
    return true;
  }

  // What SDRAM does for a packet: its references, each as long as the banks take.
  [[nodiscard]] double sdram_cycles(const reports::MemoryRecord& memory, double packets) const {
    const auto references = static_cast<double>(memory.references);
    return references * bank_slot(static_cast<double>(memory.active_cycles) / references, sdram_) /
           packets;
  }

  [[nodiscard]] PacketCosts costs_of(const reports::RunRecord& record) const {
    const auto packets = static_cast<double>(record.packets.classified);
    const auto times = record.classification_cycles.value_or(reports::PacketLatencyRecord{});
    double count = 0, executing = 0;
    for (const reports::LatencyBucket& bucket : record.classification_histogram)
      count += static_cast<double>(bucket.count);
    for (const reports::Engine& engine : record.engines) {
      if (engine.role == kStage)
        executing += static_cast<double>(engine.work_cycles ? engine.work_cycles->useful
                                                            : engine.cycles.executing);
    }
    const auto useful = [&](const reports::MemoryRecord& memory) {
      return static_cast<double>(memory.work_cycles ? memory.work_cycles->useful
                                                    : memory.active_cycles) /
             packets;
    };
    return {static_cast<double>(times.total.value_or(0)) / count,
            static_cast<double>(record.cycles.core) / packets, executing / packets,
            useful(record.memory.sram), sdram_cycles(record.memory.sdram, packets)};
  }

  [[nodiscard]] MeasuredPoint measured(const Variant& variant, std::size_t rules,
                                       const reports::RunRecord& record) const {
    return {rules, accesses_of(variant, rules), costs_of(record),
            record.memory.sram.latency_cycles.mean, record.memory.sdram.latency_cycles.mean};
  }

  Json compared(const Variant& variant) {
    std::vector<LoadPoint> points;
    for (const std::size_t rules : options_.fitted)
      points.push_back({rules, 1});
    for (const std::size_t rules : options_.rules)
      points.push_back({rules, 1});
    for (const unsigned under_way : options_.under_way)
      points.push_back({options_.loaded_rules, under_way});
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::map<LoadPoint, reports::RunRecord> records;
    if (!simulate(variant, points, records))
      return nullptr;
    const LoadPoint small{options_.fitted.at(0), 1}, large{options_.fitted.at(1), 1};
    const ManyFieldModel model(measured(variant, small.rules, records.at(small)),
                               measured(variant, large.rules, records.at(large)));
    const PacketCosts loaded_alone = model.costs(accesses_of(variant, options_.loaded_rules));
    Json row{{"variant", variant.name},
             {"searches", shape_of(variant).searches.size()},
             {"alpha_cycles", model.latency().alpha},
             {"lambda", model.latency().lambda},
             {"executed_per_packet", loaded_alone.executing},
             {"points", Json::array()}};
    std::size_t close = 0, predicted_points = 0;
    for (const LoadPoint& point : points) {
      const reports::RunRecord& record = records.at(point);
      const PacketCosts found = costs_of(record);
      const auto predicted = ManyFieldModel::under_load(
          model.costs(accesses_of(variant, point.rules)), point.under_way, kEngines);
      const double error = 100 * (predicted.latency / found.latency - 1);
      const bool is_fitted = point == small || point == large;
      close += !is_fitted && std::abs(error) <= kCloseFit ? 1 : 0;
      predicted_points += is_fitted ? 0 : 1;
      row["points"].push_back(point_json(variant, point, record, predicted, is_fitted));
    }
    row["within_10_pct"] = close;
    row["of"] = predicted_points;
    return row;
  }

  [[nodiscard]] Json point_json(const Variant& variant, const LoadPoint& point,
                                const reports::RunRecord& record,
                                const ManyFieldModel::Load& predicted, bool is_fitted) const {
    const PacketCosts found = costs_of(record);
    const double rate = static_cast<double>(record.packets.classified) / record.simulated_seconds;
    const double clock = static_cast<double>(record.cycles.core) / record.simulated_seconds;
    const double engines = std::min(point.under_way, kEngines);
    const double predicted_rate = predicted.throughput * clock;
    const auto vectors = std::find_if(record.tables.begin(), record.tables.end(),
                                      [](const auto& table) { return table.name == "vectors"; });
    const ModelAccesses accesses = accesses_of(variant, point.rules);
    const double references =
        static_cast<double>(vectors->references) / static_cast<double>(record.packets.classified);
    return {{"rules", point.rules},
            {"under_way", point.under_way},
            {"fitted", is_fitted},
            {"latency_cycles", found.latency},
            {"predicted_latency_cycles", predicted.latency},
            {"latency_error_pct", 100 * (predicted.latency / found.latency - 1)},
            {"packets_per_s", rate},
            {"predicted_packets_per_s", predicted_rate},
            {"rate_error_pct", 100 * (predicted_rate / rate - 1)},
            {"vector_references", references},
            {"predicted_vector_references", accesses.vectors},
            // As if engines did nothing but execute what a packet needs.
            {"rate_over_peak", rate * found.executing / (engines * clock)},
            {"sdram_use_pct", 100 * found.sdram * rate / clock},
            {"sram_use_pct", 100 * found.sram * rate / clock}};
  }

  const ManyFieldBenchOptions& options_;
  const std::function<void(double)>& progress_;
  Diagnostics& diagnostics_;
  workloads::FieldProfile profile_;
  simulator::SdramDescription sdram_{};  // of the runs' chip
  double done_ = 0;
};

}  // namespace

Json bench_many_field(const ManyFieldBenchOptions& options,
                      const std::function<void(double)>& progress, Diagnostics& diagnostics) {
  return ManyFieldBench(options, progress, diagnostics).run();
}

}  // namespace nplab::experiments
