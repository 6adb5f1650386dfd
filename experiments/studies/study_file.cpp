#include "experiments/studies/study_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "experiments/studies/study_design_file.h"
#include "experiments/studies/study_keys.h"
#include "experiments/studies/study_metrics.h"
#include "experiments/studies/study_options_file.h"
#include "experiments/studies/study_points.h"
#include "support/near_miss.h"
#include "support/parameters/check.h"
#include "support/yaml_file.h"

namespace nplab::experiments {
namespace {

constexpr const char* kEveryPoint = "every";  // a claim's `at`
constexpr const char* kSeed = "seed";         // stands for a repeated run's seed

class StudyReader {
 public:
  StudyReader(const yaml::Node& root, const StudySelection& selection, Diagnostics& diagnostics)
      : root_(root), selection_(selection), diagnostics_(diagnostics) {}

  Study read() {
    parameters::check(root_, study_keys(), diagnostics_);
    study_.name = word(root_, "study");
    study_.summary = word(root_, "summary");
    study_.source = word(root_, "source");
    read_what_varies();
    if (const yaml::Node* options = root_.find("options"))
      read_options(*options);
    const yaml::Node* quick = root_.find("quick");
    if (quick != nullptr)
      read_quick(*quick);
    take_selected_points();
    read_repeat(quick);
    if (const yaml::Node* figures = root_.find("figures")) {
      for (const yaml::Node& figure : figures->items())
        read_figure(figure);
    }
    if (const yaml::Node* series = root_.find("series")) {
      for (const yaml::Node& one : series->items())
        read_series(one);
    }
    if (const yaml::Node* relative = root_.find("relative_to"))
      study_.relative = read_reference(*relative);
    if (const yaml::Node* claims = root_.find("claims")) {
      for (const yaml::Node& claim : claims->items())
        read_claim(claim);
    }
    const yaml::Node* charts = root_.find("charts");
    if (charts != nullptr && is_for_one_axis(*charts, "charts")) {
      for (const yaml::Node& chart : charts->items())
        read_chart(chart);
    }
    study_.notes = words(root_, "notes");
    if (const yaml::Node* may_refuse = root_.find("may_refuse"))
      study_.may_refuse = may_refuse->as_boolean(reported_).value_or(false);
    return std::move(study_);
  }

 private:
  // The text of a key; empty when it is absent.
  static std::string word(const yaml::Node& map, std::string_view key) {
    const yaml::Node* node = map.find(key);
    return node == nullptr ? "" : node->scalar();
  }

  static std::vector<std::string> words(const yaml::Node& map, std::string_view key) {
    std::vector<std::string> found;
    const yaml::Node* list = map.find(key);
    if (list == nullptr)
      return found;
    for (const yaml::Node& item : list->items())
      found.push_back(item.scalar());
    return found;
  }

  std::optional<double> number(const yaml::Node& map, std::string_view key) {
    const yaml::Node* node = map.find(key);
    return node == nullptr ? std::nullopt : node->as_number(reported_);
  }

  void read_what_varies() {
    const yaml::Node* axis = root_.find("axis");
    const yaml::Node* axes = root_.find("axes");
    if ((axis == nullptr) == (axes == nullptr))
      diagnostics_.error(root_.location(), "a study varies an `axis`, or several `axes`");
    if (axis != nullptr) {
      study_.axis = word(*axis, "name");
      study_.names = {study_.axis};
      all_points_ = study_.points = words(*axis, "points");
      for (const char* key : {"sample", "where"}) {
        if (const yaml::Node* other = root_.find(key))
          diagnostics_.error(other->location(), fmt::format("`{}` goes with `axes`", key));
      }
    } else if (axes != nullptr) {
      read_axes();
    }
  }

  void read_axes() {
    StudyDesign design = read_study_design(root_, diagnostics_);
    study_.names = design.names;
    study_.axis = fmt::format("{}", fmt::join(design.names, ", "));
    study_.design = design.summary.empty() ? "no combination" : design.summary;
    for (Combination& values : design.combinations) {
      study_.points.push_back(label_of(study_.names, values));
      study_.combinations.emplace(study_.points.back(), std::move(values));
    }
    all_points_ = study_.points;
  }

  void read_repeat(const yaml::Node* quick) {
    const yaml::Node* node = root_.find("repeat");
    if (node == nullptr)
      return;
    StudyRepetition repeat;
    repeat.runs = static_cast<std::size_t>(number(*node, "runs").value_or(2));
    repeat.seed = static_cast<std::uint64_t>(number(*node, "seed").value_or(1));
    repeat.confidence_pct = number(*node, "confidence").value_or(95);
    if (repeat.confidence_pct <= 0 || repeat.confidence_pct >= 100)
      diagnostics_.error(node->find("confidence")->location(),
                         "a confidence lies between 0 and 100 %, both excluded");
    if (quick != nullptr && selection_.size == StudySize::kQuick)
      repeat.runs = static_cast<std::size_t>(
          number(*quick, "runs").value_or(static_cast<double>(repeat.runs)));
    if (study_.options.seed)
      diagnostics_.error(root_.find("options")->find("seed")->location(),
                         "the seeds are those of `repeat`");
    if (std::find(study_.names.begin(), study_.names.end(), kSeed) != study_.names.end())
      diagnostics_.error(node->location(), "an axis is named 'seed', as what `repeat` varies");
    study_.repeat = repeat;
  }

  // Of the text of a key, or of the texts of its list.
  void check_placeholders(const yaml::Node& map, std::string_view key) {
    const yaml::Node* node = map.find(key);
    if (node == nullptr)
      return;
    if (node->is_scalar())
      return check_placeholders(*node);
    for (const yaml::Node& item : node->items())
      check_placeholders(item);
  }

  void check_placeholders(const yaml::Node& node) {
    std::vector<std::string> known = study_.names;
    if (root_.find("repeat") != nullptr)
      known.emplace_back(kSeed);
    for (const std::string& name : placeholders(node.scalar())) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        diagnostics_.error(node.location(), fmt::format("there is no axis '{}' for {{{}}}; {}",
                                                        name, name, suggestion(name, known)));
    }
  }

  void read_options(const yaml::Node& node) {
    study_.options = read_study_options(node, diagnostics_);
    for (const char* key : {"chip", "workload", "rules", "traffic", "updates", "set"})
      check_placeholders(node, key);
  }

  void read_quick(const yaml::Node& node) {
    if (selection_.size == StudySize::kFull)
      return;
    for (const std::string& one : words(node, "set"))
      study_.options.set.push_back(one);
    check_placeholders(node, "set");
    if (node.find("points") != nullptr)
      study_.points = read_points(node, "points");
    read_study_packets(node, study_.options);
  }

  void take_selected_points() {
    if (selection_.points.empty())
      return;
    if (study_.has_axes())
      return take_selected_combinations();
    study_.points = selection_.points;
    all_points_.insert(all_points_.end(), selection_.points.begin(), selection_.points.end());
  }

  // NAME=VALUE: those that have, of each axis that is named, one of the values given for it.
  void take_selected_combinations() {
    std::map<std::string, std::vector<std::string>> chosen;
    for (const std::string& one : selection_.points) {
      const auto sign = one.find('=');
      const std::string name = one.substr(0, sign);
      const std::string value = sign == std::string::npos ? "" : one.substr(sign + 1);
      if (check_value(name, value, without_lines(one)))
        chosen[name].push_back(value);
    }
    std::erase_if(study_.points, [&](const StudyPoint& point) {
      return std::any_of(chosen.begin(), chosen.end(), [&](const auto& of_axis) {
        const auto& [name, values] = of_axis;
        return std::find(values.begin(), values.end(), value_at(point, name)) == values.end();
      });
    });
    if (study_.points.empty() && !diagnostics_.has_errors())
      diagnostics_.error(without_lines(selection_.points.front()),
                         "the study has no combination with these values");
  }

  [[nodiscard]] std::size_t place_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(study_.names.begin(), study_.names.end(), name) -
                                    study_.names.begin());
  }

  [[nodiscard]] const std::string& value_at(const StudyPoint& point,
                                            const std::string& name) const {
    return study_.combinations.at(point)[place_of(name)];
  }

  // Whether the axis is there and some combination has the value.
  bool check_value(const std::string& name, const std::string& value, const SourceLocation& at) {
    if (place_of(name) == study_.names.size()) {
      diagnostics_.error(
          at, fmt::format("there is no axis '{}'; {}", name, suggestion(name, study_.names)));
      return false;
    }
    std::vector<std::string> values;
    for (const StudyPoint& point : all_points_) {
      const std::string& found = value_at(point, name);
      if (std::find(values.begin(), values.end(), found) == values.end())
        values.push_back(found);
    }
    if (std::find(values.begin(), values.end(), value) != values.end())
      return true;
    diagnostics_.error(at, fmt::format("the axis '{}' has no point '{}'; {}", name, value,
                                       suggestion(value, values)));
    return false;
  }

  // A list of points of the axis. With several axes, all that have the values of an item.
  std::vector<StudyPoint> read_points(const yaml::Node& map, std::string_view key) {
    const yaml::Node* list = map.find(key);
    if (list == nullptr)
      return {};
    std::vector<StudyPoint> points;
    for (const yaml::Node& item : list->items()) {
      if (study_.has_axes())
        read_combinations(item, points);
      else if (const auto point = read_point(item))
        points.push_back(*point);
    }
    return points;
  }

  void read_combinations(const yaml::Node& item, std::vector<StudyPoint>& points) {
    const std::map<std::string, std::string> values = read_axis_values(item);
    for (const StudyPoint& point : all_points_) {
      const bool matches = std::all_of(values.begin(), values.end(), [&](const auto& value) {
        return value_at(point, value.first) == value.second;
      });
      if (matches && std::find(points.begin(), points.end(), point) == points.end())
        points.push_back(point);
    }
  }

  // {NAME: VALUE, ...} of a study with several axes.
  std::map<std::string, std::string> read_axis_values(const yaml::Node& node) {
    std::map<std::string, std::string> values;
    if (!node.is_map())
      diagnostics_.error(node.location(),
                         fmt::format("a point of several axes is written as a map "
                                     "of names and values, such as {{{}: ...}}",
                                     study_.names.empty() ? "NAME" : study_.names.front()));
    for (std::size_t i = 0; i < node.keys().size(); ++i) {
      const yaml::Node& value = node.items()[i];
      if (check_value(node.keys()[i], value.scalar(), value.location()))
        values[node.keys()[i]] = value.scalar();
    }
    return values;
  }

  std::optional<StudyPoint> read_point(const yaml::Node& node) {
    if (node.is_map())
      diagnostics_.error(node.location(),
                         "a point of one axis is a value; maps are for studies with `axes`");
    if (!node.is_scalar())
      return std::nullopt;
    check_point(node.scalar(), node.location());
    return node.scalar();
  }

  void check_point(const StudyPoint& point, const SourceLocation& at) {
    if (std::find(all_points_.begin(), all_points_.end(), point) != all_points_.end())
      return;
    diagnostics_.error(at, fmt::format("the axis '{}' has no point '{}'", study_.axis, point));
  }

  // What is said by points in a way that several axes have no words for.
  bool is_for_one_axis(const yaml::Node& node, std::string_view key) {
    if (study_.has_axes())
      diagnostics_.error(node.location(), fmt::format("`{}` is for studies with one `axis`", key));
    return !study_.has_axes();
  }

  void read_figure(const yaml::Node& node) {
    StudyFigure figure{read_metric(node), word(node, "title"), study_.figures.empty(), {}};
    if (figure.title.empty())
      figure.title = figure.metric;
    if (const yaml::Node* relative = node.find("relative")) {
      figure.has_relative = relative->as_boolean(reported_).value_or(false);
    }
    const yaml::Node* published = node.find("published");
    if (published != nullptr && is_for_one_axis(*published, "published")) {
      for (std::size_t i = 0; i < published->keys().size(); ++i) {
        figure.published.push_back({published->keys()[i], read_values(published->items()[i])});
      }
    }
    study_.figures.push_back(std::move(figure));
  }

  // Numbers by points of the axis.
  std::map<StudyPoint, double> read_values(const yaml::Node& map) {
    std::map<StudyPoint, double> values;
    for (std::size_t i = 0; i < map.keys().size(); ++i) {
      check_point(map.keys()[i], map.items()[i].location());
      values[map.keys()[i]] = map.items()[i].as_number(reported_).value_or(0);
    }
    return values;
  }

  std::string read_metric(const yaml::Node& map) {
    const yaml::Node* node = map.find("metric");
    const std::string metric = node == nullptr ? "" : node->scalar();
    const std::string problem = node == nullptr ? "" : study_metric_problem(metric);
    if (!problem.empty())
      diagnostics_.error(node->location(), problem);
    return metric;
  }

  void read_series(const yaml::Node& node) {
    StudySeries series;
    series.location = node.location();
    series.name = word(node, "name");
    series.mapping = word(node, "mapping");
    series.set = words(node, "set");
    series.rules = word(node, "rules");
    series.traffic = word(node, "traffic");
    for (const char* key : {"set", "rules", "traffic"})
      check_placeholders(node, key);
    std::vector<StudyPoint> own =
        node.find("points") != nullptr ? read_points(node, "points") : all_points_;
    const yaml::Node* at = node.find("at");
    if (at != nullptr && is_for_one_axis(*at, "at"))
      read_set_at(*at, series);
    const yaml::Node* published = node.find("published");
    if (published != nullptr && is_for_one_axis(*published, "published"))
      series.published = read_values(*published);
    if (const yaml::Node* relative = node.find("relative_to"))
      series.relative = read_reference(*relative);
    for (const StudyPoint& point : study_.points) {
      if (std::find(own.begin(), own.end(), point) != own.end())
        series.points.push_back(point);
    }
    study_.series.push_back(std::move(series));
  }

  void read_set_at(const yaml::Node& node, StudySeries& series) {
    for (std::size_t i = 0; i < node.keys().size(); ++i) {
      check_point(node.keys()[i], node.items()[i].location());
      for (const yaml::Node& item : node.items()[i].items()) {
        check_placeholders(item);
        series.set_at[node.keys()[i]].push_back(item.scalar());
      }
    }
  }

  StudyReference read_reference(const yaml::Node& node) {
    StudyReference reference;
    if (const yaml::Node* series = node.find("series")) {
      reference.series = series->scalar();
      check_series(reference.series, series->location());
    }
    const yaml::Node* at = node.find("at");
    if (at != nullptr && study_.has_axes())
      reference.with = read_axis_values(*at);
    else if (at != nullptr)
      reference.at = read_point(*at);
    return reference;
  }

  void check_series(const std::string& name, const SourceLocation& at) {
    std::vector<std::string> names;
    for (const StudySeries& series : study_.series)
      names.push_back(series.name);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return;
    diagnostics_.error(at,
                       fmt::format("there is no series '{}'; {}", name, suggestion(name, names)));
  }

  void read_claim(const yaml::Node& node) {
    StudyClaim claim;
    claim.text = word(node, "claim");
    claim.metric = read_metric(node);
    if (const yaml::Node* series = node.find("series")) {
      claim.series = series->scalar();
      check_series(claim.series, series->location());
    }
    claim.some = node.find("some_of") != nullptr;
    const yaml::Node* at = node.find("at");
    const bool is_general = at != nullptr && !at->is_list() && at->scalar() == kEveryPoint;
    claim.at = is_general ? study_.points : read_points(node, claim.some ? "some_of" : "at");
    if (claim.at.empty())
      diagnostics_.error(node.location(), "a claim says at which points: `at` or `some_of`");
    if (const yaml::Node* over = node.find("over"))
      claim.over = read_reference(*over);
    if (const yaml::Node* than = node.find("than")) {
      const yaml::Node* over = than->find("over");
      claim.than = {read_reference(*than),
                    over == nullptr ? std::nullopt : std::optional(read_reference(*over))};
    }
    claim.at_least = number(node, "at_least");
    claim.at_most = number(node, "at_most");
    claim.below = number(node, "below");
    claim.cause = word(node, "cause");
    if (!claim.at_least && !claim.at_most && !claim.below) {
      diagnostics_.error(node.location(), "a claim has a bound: at_least, at_most or below");
    }
    study_.claims.push_back(std::move(claim));
  }

  void read_chart(const yaml::Node& node) {
    StudyChart chart{word(node, "title"), read_metric(node), {}, {}, {}};
    if (const yaml::Node* base = node.find("relative_to")) {
      const StudyReference reference = read_reference(*base);
      chart.base_series = reference.series;
      chart.base_at = reference.at.value_or("");
    }
    if (const yaml::Node* bars = node.find("bars")) {
      for (const yaml::Node& bar : bars->items()) {
        const StudyReference reference = read_reference(bar);
        chart.bars.push_back({word(bar, "name"), reference.series, reference.at.value_or("")});
      }
    }
    study_.charts.push_back(std::move(chart));
  }

  const yaml::Node& root_;
  const StudySelection& selection_;
  Diagnostics& diagnostics_;
  Diagnostics reported_;  // what the check of the file has reported already
  Study study_;
  std::vector<StudyPoint> all_points_;  // of the axis, whatever the size
};

}  // namespace

std::optional<Study> read_study(const std::string& path, const StudySelection& selection,
                                Diagnostics& diagnostics) {
  const auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  if (!file->root.is_map()) {
    diagnostics.error(file->root.location(),
                      "a study is a map of keys: study, summary, axis, options, figures, series");
    return std::nullopt;
  }
  Study study = StudyReader(file->root, selection, diagnostics).read();
  study.folder = std::filesystem::path(path).parent_path().string();
  if (diagnostics.has_errors())
    return std::nullopt;
  return study;
}

}  // namespace nplab::experiments
