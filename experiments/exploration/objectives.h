// What a search wants of a mapping, and which mappings are best by it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::experiments {

// What limits a mapping.
struct Bound {
  std::string resource;
  double use_pct = 0;
  double gain_if_removed_pct = 0;  // more packets per second
};

// `SRAM bus, 98 % used; 12 % more packets per second without it`.
std::string to_string(const Bound& bound);

// What a run showed of a mapping, or what a model predicts.
struct MappingFigures {
  double packets_per_s = 0;       // that the chip has dealt with: sent, denied or without a match
  double latency_p50_cycles = 0;  // received to sent
  double latency_p99_cycles = 0;
  unsigned engines = 0;  // that run a program
  Bound bound;
};

enum class Objective { kRate, kLatency, kEngines };

const std::vector<std::string>& objective_words();
// `rate,latency`; nothing when a word is none or stands there twice.
std::optional<std::vector<Objective>> parse_objectives(std::string_view text);
std::string to_string(const std::vector<Objective>& objectives);

// Judges figures by objectives. Where ports bring no more than a known rate, figures that reach it
// within kPortTolerance have the same rate.
class Judge {
 public:
  Judge(std::vector<Objective> objectives, std::optional<double> port_rate)
      : objectives_(std::move(objectives)), port_rate_(port_rate) {}

  static constexpr double kPortTolerance = 0.005;

  [[nodiscard]] const std::vector<Objective>& objectives() const { return objectives_; }
  [[nodiscard]] bool reaches_ports(const MappingFigures& figures) const;
  // What the objective makes of the figures; less is better.
  [[nodiscard]] double cost(Objective objective, const MappingFigures& figures) const;
  // At least as good by every objective, and better by one.
  [[nodiscard]] bool dominates(const MappingFigures& a, const MappingFigures& b) const;
  // Objective by objective, in their order.
  [[nodiscard]] bool is_better(const MappingFigures& a, const MappingFigures& b) const;

  // The indices of the best `count`: what nothing dominates, then what nothing else dominates, and
  // so on; within such a front by is_better.
  [[nodiscard]] std::vector<std::size_t> best(const std::vector<MappingFigures>& figures,
                                              std::size_t count) const;
  // The indices of what nothing dominates, the best first; of equally good ones the first alone.
  [[nodiscard]] std::vector<std::size_t> front(const std::vector<MappingFigures>& figures) const;

 private:
  std::vector<Objective> objectives_;
  std::optional<double> port_rate_;
};

}  // namespace nplab::experiments
