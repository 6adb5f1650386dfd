#include "experiments/exploration/search.h"

#include <algorithm>
#include <cmath>

#include "experiments/exploration/candidates.h"

namespace nplab::experiments {
namespace {

// Of the points of a round: chosen by the corrected prediction, and beside the best so far; the
// others at random.
constexpr double kShareOfModel = 0.5;
constexpr double kShareOfNeighbours = 0.3;
// Of the runs of a round, those that are short.
constexpr double kShareOfShortRuns = 0.67;
constexpr std::size_t kLeastRound = 6;
constexpr std::size_t kMostRound = 24;
constexpr std::size_t kRoundsAimedAt = 5;
constexpr std::size_t kBestWithNeighbours = 4;
// Draws before a random choice is given up: a space may have hardly a legal point left.
constexpr int kMostDraws = 200;

class Search {
 public:
  Search(const Space& space, const Judge& judge, const PointPredictor& predictor,
         const Simulator& simulator, const SearchPlan& plan)
      : space_(space),
        judge_(judge),
        simulator_(simulator),
        plan_(plan),
        random_(plan.seed),
        candidates_(space, predictor, random_) {}

  SearchResult run() {
    while (has_budget() && round()) {
    }
    result_.predicted = candidates_.predictions();
    std::vector<MappingFigures> figures;
    for (const SimulatedPoint& one : result_.simulated)
      figures.push_back(one.figures);
    result_.front = judge_.front(figures);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t runs_left() const { return plan_.most_runs - result_.runs; }
  [[nodiscard]] double done() const {
    const double of_runs = static_cast<double>(result_.runs) / static_cast<double>(plan_.most_runs);
    return plan_.time_used ? std::max(of_runs, plan_.time_used()) : of_runs;
  }
  [[nodiscard]] bool has_budget() const { return runs_left() > 0 && done() < 1; }

  // Whether anything was simulated.
  bool round() {
    const std::size_t size = std::min(
        runs_left(), std::clamp(plan_.most_runs / kRoundsAimedAt, kLeastRound, kMostRound));
    if (plan_.method == SearchMethod::kAll)
      return simulate(next_points(size), plan_.packets);
    if (plan_.method == SearchMethod::kRandom) {
      std::vector<Point> chosen;
      choose_at_random(size, chosen);
      return simulate(chosen, plan_.packets);
    }
    if (plan_.short_packets == 0 || size < 3)
      return simulate(choose(size), plan_.packets);
    const auto short_runs =
        static_cast<std::size_t>(std::round(kShareOfShortRuns * static_cast<double>(size)));
    const auto chosen = choose(short_runs);
    simulate(chosen, plan_.short_packets);
    const bool has_run = !chosen.empty();
    return simulate(promoted(size - short_runs), plan_.packets) || has_run;
  }

  std::vector<Point> next_points(std::size_t count) {
    if (!candidates_.holds_all())
      candidates_.add_all();
    std::vector<Point> points = candidates_.open();
    points.resize(std::min(points.size(), count));
    for (const Point& point : points)
      candidates_.take(point);
    return points;
  }

  // Points and their figures, which go together.
  static std::pair<std::vector<Point>, std::vector<MappingFigures>> listed(
      const std::map<Point, MappingFigures>& runs) {
    std::pair<std::vector<Point>, std::vector<MappingFigures>> columns;
    for (const auto& [point, figures] : runs) {
      columns.first.push_back(point);
      columns.second.push_back(figures);
    }
    return columns;
  }

  // The best of what was run shortly alone.
  std::vector<Point> promoted(std::size_t count) {
    const auto [points, figures] = listed(short_runs_);
    std::vector<Point> best;
    for (const std::size_t i : judge_.best(figures, count)) {
      best.push_back(points[i]);
      short_runs_.erase(points[i]);
    }
    return best;
  }

  bool simulate(const std::vector<Point>& points, std::uint64_t packets) {
    if (points.empty() || !has_budget())
      return false;
    std::vector<Job> jobs;
    for (const Point& point : points)
      jobs.push_back({point, packets});
    const auto outcomes = simulator_(jobs);
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      take(points[i], packets, outcomes[i]);
    if (plan_.progress)
      plan_.progress({result_.runs, best(), done()});
    return true;
  }

  void take(const Point& point, std::uint64_t packets, const Outcome& outcome) {
    ++result_.runs;
    const bool is_short = packets == plan_.short_packets;
    result_.short_runs += is_short ? 1 : 0;
    if (!outcome.figures) {
      result_.failed.push_back({point, outcome.failure});
      return;
    }
    if (is_short)
      short_runs_[point] = *outcome.figures;
    else
      result_.simulated.push_back({point, *outcome.figures, candidates_.predicted(point)});
    seen_[point] = *outcome.figures;
  }

  [[nodiscard]] std::optional<MappingFigures> best() const {
    std::optional<MappingFigures> best;
    for (const SimulatedPoint& one : result_.simulated) {
      if (!best || judge_.is_better(one.figures, *best))
        best = one.figures;
    }
    return best;
  }

  // Points that were not run before, at most `count`.
  std::vector<Point> choose(std::size_t count) {
    const auto share = [&](double of) {
      return static_cast<std::size_t>(std::round(of * static_cast<double>(count)));
    };
    std::vector<Point> chosen;
    if (seen_.empty())
      choose_of_each_kind(count, chosen);
    const std::vector<Point> near = neighbours_of_best();
    choose_by_model(candidates_.open(), share(kShareOfModel), chosen);
    choose_by_model(near, share(kShareOfModel) + share(kShareOfNeighbours), chosen);
    choose_at_random(count, chosen);
    return chosen;
  }

  // One point of each kind, so that no kind is left out because others were seen first.
  void choose_of_each_kind(std::size_t count, std::vector<Point>& chosen) {
    std::map<std::string, std::vector<Point>> kinds;
    for (const Point& point : candidates_.open())
      kinds[space_.kind(point)].push_back(point);
    for (const auto& [kind, points] : kinds) {
      if (chosen.size() < count)
        choose_by_model(points, chosen.size() + 1, chosen);
    }
  }

  // Neighbours of the best points, which become candidates.
  std::vector<Point> neighbours_of_best() {
    const auto [points, figures] = listed(seen_);
    std::vector<Point> near;
    for (const std::size_t i : judge_.best(figures, kBestWithNeighbours)) {
      for (const Point& point : space_.neighbours(points[i])) {
        if (near.size() < kMostCandidates && candidates_.add(point))
          near.push_back(point);
      }
    }
    candidates_.predict(near, kMostNewPredictions);
    return near;
  }

  // What the model says of a point, uncorrected. Where it was not asked, the rate follows from the
  // balance, in proportion to what was predicted; without a model in a unit of its own.
  MappingFigures model(const Point& point) const {
    if (const auto predicted = candidates_.predicted(point))
      return *predicted;
    MappingFigures figures;
    figures.packets_per_s = space_.balance(point);
    figures.latency_p50_cycles = 1;
    if (candidates_.predictions() == 0)
      return figures;
    const MappingFigures mean = candidates_.mean_prediction();
    figures.packets_per_s *= mean.packets_per_s / candidates_.mean_balance();
    figures.latency_p50_cycles = mean.latency_p50_cycles;
    return figures;
  }

  // Those that the corrected model says are best, until `chosen` has so many.
  void choose_by_model(std::vector<Point> points, std::size_t until, std::vector<Point>& chosen) {
    std::erase_if(points, [&](const Point& point) {
      return std::find(chosen.begin(), chosen.end(), point) != chosen.end();
    });
    const Correction rate =
        correction(&MappingFigures::packets_per_s, &MappingFigures::packets_per_s);
    const Correction latency =
        correction(&MappingFigures::latency_p50_cycles, &MappingFigures::latency_p99_cycles);
    std::vector<MappingFigures> estimates;
    for (const Point& point : points) {
      const MappingFigures uncorrected = model(point);
      const auto features = space_.features(point);
      MappingFigures estimate;
      estimate.packets_per_s = rate.corrected(uncorrected.packets_per_s, features);
      estimate.latency_p99_cycles = latency.corrected(uncorrected.latency_p50_cycles, features);
      estimate.engines = space_.structure(point).all_engines();
      estimates.push_back(estimate);
    }
    const std::size_t wanted = until > chosen.size() ? until - chosen.size() : 0;
    for (const std::size_t i : judge_.best(estimates, wanted)) {
      candidates_.take(points[i]);
      chosen.push_back(points[i]);
    }
  }

  // Of what was seen, at either length, against what was predicted.
  Correction correction(double MappingFigures::* predicted, double MappingFigures::* simulated) {
    std::vector<Observation> observations;
    for (const auto& [point, figures] : seen_) {
      const double uncorrected = model(point).*predicted;
      if (figures.*simulated > 0 && uncorrected > 0)
        observations.push_back({space_.features(point), uncorrected, figures.*simulated});
    }
    return Correction(observations);
  }

  void choose_at_random(std::size_t count, std::vector<Point>& chosen) {
    std::vector<Point> open;
    if (candidates_.holds_all())
      open = candidates_.open();
    for (int draw = 0; chosen.size() < count && draw < kMostDraws; ++draw) {
      if (open.empty() && candidates_.holds_all())
        return;
      const Point point = open.empty() ? space_.random(random_) : open[random_.below(open.size())];
      if (!candidates_.add(point))
        continue;
      candidates_.take(point);
      chosen.push_back(point);
    }
  }

  const Space& space_;
  const Judge& judge_;
  const Simulator& simulator_;
  const SearchPlan& plan_;
  workloads::Random random_;
  Candidates candidates_;
  std::map<Point, MappingFigures> short_runs_;  // of points that were not run at full length
  std::map<Point, MappingFigures> seen_;        // at the greatest length
  SearchResult result_;
};

}  // namespace

SearchResult search(const Space& space, const Judge& judge, const PointPredictor& predictor,
                    const Simulator& simulator, const SearchPlan& plan) {
  return Search(space, judge, predictor, simulator, plan).run();
}

}  // namespace nplab::experiments
