#include "experiments/calibration/calibration_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/calibration/calibration_keys.h"
#include "reports/analysis/published.h"
#include "support/near_miss.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/yaml_file.h"

namespace nplab::experiments {
namespace {

using parameters::CheckedMap;

constexpr const char* kNameKey = "calibration";

class CalibrationReader {
 public:
  CalibrationReader(const yaml::Node& root, CalibrationRuns runs, Diagnostics& diagnostics)
      : map_(root, calibration_keys()), runs_(runs), diagnostics_(diagnostics) {}

  Calibration read() {
    parameters::check(map_.node(), calibration_keys(), diagnostics_);
    calibration_.name = map_.text(kNameKey);
    calibration_.summary = map_.text("summary");
    calibration_.source = map_.text("source");
    calibration_.predicted = words(map_, "predicted");
    for (const yaml::Node& name : map_.items("fitted"))
      read_fitted(name);
    for (const yaml::Node& limit : map_.items("limits")) {
      if (limit.is_map())
        read_limit(CheckedMap(limit, calibration_limit_keys()));
    }
    read_rule(map_.section("rule"));
    read_size(map_.section(runs_ == CalibrationRuns::kQuick ? "quick" : "full"));
    for (const yaml::Node& parameter : map_.items("parameters")) {
      if (parameter.is_map())
        read_parameter(CheckedMap(parameter, calibration_parameter_keys()));
    }
    return std::move(calibration_);
  }

 private:
  static std::vector<std::string> words(const CheckedMap& map, std::string_view key) {
    std::vector<std::string> found;
    for (const yaml::Node& item : map.items(key))
      found.push_back(item.scalar());
    return found;
  }

  void read_fitted(const yaml::Node& name) {
    calibration_.fitted.push_back(name.scalar());
    if (reports::find_published(name.scalar()) == nullptr) {
      diagnostics_.error(
          name.location(),
          fmt::format("no figures of '{}' are printed; those of ls and bv1 are", name.scalar()));
    }
  }

  void read_limit(const CheckedMap& map) {
    Limit limit{words(map, "figures"), static_cast<double>(map.integer("within")),
                map.text("of") == "percent", static_cast<std::size_t>(map.integer("weight"))};
    for (const yaml::Node& figure : map.items("figures"))
      check_figure(figure, limit);
    calibration_.limits.push_back(std::move(limit));
  }

  // A figure must be printed of every mapping that is fitted, and have one limit.
  void check_figure(const yaml::Node& figure, const Limit& limit) {
    Limit alone = limit;
    alone.figures = {figure.scalar()};
    for (const std::string& mapping : calibration_.fitted) {
      const reports::PublishedRun* published = reports::find_published(mapping);
      if (published == nullptr || !targets_of(mapping, *published, {alone}).empty())
        continue;
      diagnostics_.error(figure.location(),
                         fmt::format("no figure '{}' of {} is printed", figure.scalar(), mapping));
      return;
    }
    if (!figures_.insert(figure.scalar()).second)
      diagnostics_.error(figure.location(),
                         fmt::format("'{}' has a limit already", figure.scalar()));
  }

  void read_rule(const CheckedMap& map) {
    calibration_.rule = {static_cast<std::size_t>(map.integer("slack")),
                         static_cast<std::size_t>(map.integer("least_kept")),
                         static_cast<double>(map.integer("identified_below")),
                         static_cast<double>(map.integer("predicted_below")),
                         static_cast<double>(map.integer("steady_share"))};
  }

  void read_size(const CheckedMap& map) {
    const auto count = [&](const char* key) { return static_cast<std::size_t>(map.integer(key)); };
    calibration_.size = {count("sample"), count("rounds"),    count("refined"),
                         count("kept"),   count("shippable"), count("short_packets"),
                         count("packets")};
    if (calibration_.size.short_packets > calibration_.size.packets)
      diagnostics_.error(map.location("short_packets"),
                         "a shortened run is at most as long as a full one (packets)");
  }

  void read_parameter(const CheckedMap& map) {
    OpenParameter parameter;
    parameter.name = map.text("name");
    parameter.keys = words(map, "keys");
    parameter.mappings = words(map, "mappings");
    parameter.unit = map.text("unit");
    parameter.reason = map.text("reason");
    parameter.is_chosen = map.boolean("chosen");
    if (!names_.insert(parameter.name).second)
      diagnostics_.error(map.location("name"),
                         fmt::format("there are two parameters '{}'", parameter.name));
    for (const yaml::Node& mapping : map.items("mappings"))
      check_mapping(mapping);
    parameter.levels = levels(map);
    calibration_.parameters.push_back(std::move(parameter));
  }

  void check_mapping(const yaml::Node& node) {
    std::vector<std::string> known = calibration_.fitted;
    known.insert(known.end(), calibration_.predicted.begin(), calibration_.predicted.end());
    if (std::find(known.begin(), known.end(), node.scalar()) == known.end())
      diagnostics_.error(node.location(), fmt::format("'{}' is not run; {}", node.scalar(),
                                                      suggestion(node.scalar(), known)));
  }

  std::vector<std::int64_t> levels(const CheckedMap& map) {
    const bool has_levels = map.find("levels") != nullptr;
    if (has_levels == (map.find("range") != nullptr)) {
      diagnostics_.error(map.node().location(), "a parameter has either a range or levels");
      return {0, 1};
    }
    std::vector<std::int64_t> values;
    for (const yaml::Node& item : map.items(has_levels ? "levels" : "range"))
      values.push_back(item.as_integer(reported_).value_or(0));
    const bool is_rising =
        std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
    if (values.size() < 2 || !is_rising || (!has_levels && values.size() != 2)) {
      diagnostics_.error(map.location(has_levels ? "levels" : "range"),
                         has_levels ? "levels are two or more increasing numbers"
                                    : "a range is a lower and a higher number");
      return {0, 1};
    }
    if (has_levels)
      return values;
    std::vector<std::int64_t> stepped;
    const std::int64_t step = std::max<std::int64_t>(1, map.integer("step"));
    for (std::int64_t value = values[0]; value <= values[1]; value += step)
      stepped.push_back(value);
    if (stepped.size() < 2) {
      diagnostics_.error(map.location("step"), "the step is larger than the range");
      return {0, 1};
    }
    return stepped;
  }

  CheckedMap map_;
  const CalibrationRuns runs_;
  Diagnostics& diagnostics_;
  Diagnostics reported_;  // what the check of the file has reported already
  Calibration calibration_;
  std::set<std::string> figures_;
  std::set<std::string> names_;
};

}  // namespace

bool is_calibration_file(const std::string& path) {
  Diagnostics ignored;
  const auto file = read_yaml_file(path, ignored);
  return file && file->root.is_map() && file->root.find(kNameKey) != nullptr;
}

std::optional<Calibration> read_calibration(const std::string& path, CalibrationRuns runs,
                                            Diagnostics& diagnostics) {
  const auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  if (!file->root.is_map()) {
    diagnostics.error(file->root.location(),
                      "a calibration is a map of keys: calibration, fitted, ...");
    return std::nullopt;
  }
  Diagnostics found;
  Calibration calibration = CalibrationReader(file->root, runs, found).read();
  diagnostics.append(found);
  if (found.has_errors())
    return std::nullopt;
  return calibration;
}

}  // namespace nplab::experiments
