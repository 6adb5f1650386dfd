#include "experiments/exploration/points_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nplab::experiments {
namespace {

std::string quoted(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return '"' + text + '"';
}

std::string figures_text(const Outcome& outcome) {
  if (!outcome.figures)
    return ",,,,";
  const MappingFigures& figures = *outcome.figures;
  return fmt::format("{:.0f},{:.0f},{:.0f},{},{}", figures.packets_per_s,
                     figures.latency_p50_cycles, figures.latency_p99_cycles, figures.engines,
                     quoted(figures.bound.resource));
}

}  // namespace

std::string points_csv(const Space& space, const std::map<Job, Outcome>& outcomes,
                       const std::map<Point, MappingFigures>& predicted) {
  std::string text =
      "point,packets,predicted_packets_per_s,predicted_latency_p50,packets_per_s,latency_p50,"
      "latency_p99,engines,bound,choices,failure\n";
  for (const auto& [job, outcome] : outcomes) {
    const auto at = predicted.find(job.point);
    const std::string prediction =
        at == predicted.end()
            ? ","
            : fmt::format("{:.0f},{:.0f}", at->second.packets_per_s, at->second.latency_p50_cycles);
    text += fmt::format("{},{},{},{},{},{}\n", fmt::join(job.point, "."), job.packets, prediction,
                        figures_text(outcome),
                        quoted(fmt::format("{}", fmt::join(space.choices(job.point), "; "))),
                        outcome.figures ? "" : quoted(outcome.failure));
  }
  return text;
}

}  // namespace nplab::experiments
