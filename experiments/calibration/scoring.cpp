#include "experiments/calibration/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <variant>

#include "reports/analysis/published_comparison.h"

namespace nplab::experiments {
namespace {

double number_of(const reports::Cell& cell) {
  if (const auto* whole = std::get_if<reports::Count>(&cell.value))
    return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell.value))
    return *real;
  return 0;
}

bool is_number(const reports::Cell& cell) {
  return std::holds_alternative<reports::Count>(cell.value) ||
         std::holds_alternative<double>(cell.value);
}

// `0.idle` is `engine0.idle_pct`.
std::string figure_name(const std::string& id) {
  const auto dot = id.find('.');
  if (dot == std::string::npos)
    return id;
  const std::string column = id.substr(dot + 1);
  return fmt::format("engine{}.{}{}", id.substr(0, dot), column, column == "mips" ? "" : "_pct");
}

// What is printed of an engine under a column's name.
std::optional<double> printed_of(const reports::PublishedEngine& engine,
                                 const std::string& column) {
  if (column == "executing_pct")
    return engine.executing_pct;
  if (column == "aborted_pct")
    return engine.aborted_pct;
  if (column == "idle_pct")
    return engine.idle_pct;
  return std::nullopt;
}

// The mean of the printed figures of a role's engines.
std::optional<double> printed_of_role(const reports::PublishedRun& published,
                                      const std::string& role, const std::string& column) {
  double sum = 0;
  int engines = 0;
  for (const reports::PublishedEngine& engine : published.engines) {
    const auto value = engine.role == role ? printed_of(engine, column) : std::nullopt;
    if (!value)
      continue;
    sum += *value;
    ++engines;
  }
  if (engines == 0)
    return std::nullopt;
  return sum / engines;
}

std::optional<double> printed(const reports::PublishedRun& published, const std::string& figure) {
  const auto dot = figure.find('.');
  if (dot != std::string::npos)
    return printed_of_role(published, figure.substr(0, dot), figure.substr(dot + 1));
  const auto found = published.overall.find(figure);
  if (found == published.overall.end())
    return std::nullopt;
  return found->second;
}

}  // namespace

Figures figures_of(const reports::RunRecord& record) {
  Figures figures;
  for (const reports::ComparedTable& table : reports::compare_with_published(record, nullptr)) {
    for (const reports::ComparedFigure& figure : table.figures) {
      if (is_number(figure.ours))
        figures[figure_name(figure.id)] = number_of(figure.ours);
    }
  }
  return figures;
}

std::vector<Target> targets_of(const std::string& mapping, const reports::PublishedRun& published,
                               const std::vector<Limit>& limits) {
  std::vector<Target> targets;
  for (const Limit& limit : limits) {
    for (const std::string& figure : limit.figures) {
      const auto value = printed(published, figure);
      if (!value)
        continue;
      const double within = limit.is_relative ? *value * limit.within / 100 : limit.within;
      targets.push_back({mapping, figure, *value, within, limit.weight});
    }
  }
  return targets;
}

double target_value(const Target& target, const Figures& figures,
                    const reports::PublishedRun& published) {
  const auto dot = target.figure.find('.');
  if (dot == std::string::npos)
    return figures.at(target.figure);
  double sum = 0;
  int engines = 0;
  for (std::size_t id = 0; id < published.engines.size(); ++id) {
    if (published.engines[id].role != target.figure.substr(0, dot))
      continue;
    const auto found = figures.find(fmt::format("engine{}{}", id, target.figure.substr(dot)));
    sum += found == figures.end() ? 0 : found->second;
    ++engines;
  }
  assert(engines > 0 && "a target's role has engines");
  return sum / engines;
}

bool Score::is_better_than(const Score& other) const {
  return points != other.points ? points > other.points : distance < other.distance;
}

Score score_of(const std::vector<Target>& targets, const std::vector<double>& values) {
  assert(targets.size() == values.size());
  Score score;
  std::size_t weights = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double away = std::abs(values[i] - targets[i].printed) / targets[i].within;
    score.deviations.push_back({values[i], away});
    if (score.deviations.back().is_met()) {
      score.met += 1;
      score.points += targets[i].weight;
    }
    score.distance += std::min(away, kFarthest) * static_cast<double>(targets[i].weight);
    weights += targets[i].weight;
  }
  score.distance /= std::max<double>(1, static_cast<double>(weights));
  return score;
}

}  // namespace nplab::experiments
