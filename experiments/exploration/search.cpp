#include "experiments/exploration/search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/exploration/candidates.h"
#include "experiments/exploration/estimator.h"
#include "workloads/base/random.h"

namespace nplab::experiments {
namespace {

// Of the points of a round: chosen by the estimates, and beside the best so far; the others at
// random.
struct Shares {
  double of_model;
  double of_neighbours;
};
constexpr Shares kWholeSpace{0.6, 0.25};
// Most of a large space is beside the best so far, where no estimate was made.
constexpr Shares kLargeSpace{0.35, 0.5};
// Of the runs of a round, those that are short.
constexpr double kShareOfShortRuns = 0.7;
// Of all runs, those that profile.
constexpr double kShareOfProfiles = 0.15;
constexpr std::size_t kMostProfiles = 12;
constexpr std::size_t kLeastRound = 6;
constexpr std::size_t kMostRound = 24;
constexpr std::size_t kRoundsAimedAt = 6;
constexpr std::size_t kBestWithNeighbours = 4;
// Draws before a random choice is abandoned: a space may have hardly a legal point left.
constexpr int kMostDraws = 200;

std::size_t share_of(double share, std::size_t count) {
  return static_cast<std::size_t>(std::round(share * static_cast<double>(count)));
}

class Search {
 public:
  Search(const Space& space, const Judge& judge, const PointPredictor& predictor,
         const Simulator& simulator, const SearchPlan& plan)
      : space_(space),
        judge_(judge),
        simulator_(simulator),
        plan_(plan),
        random_(plan.seed),
        candidates_(space, random_),
        predictions_(space, predictor),
        estimator_(space, predictions_) {}

  SearchResult run() {
    if (predictions_.has_model())
      predict_first();
    while (has_budget() && round()) {
    }
    result_.predicted = predictions_.predictions();
    std::vector<MappingFigures> figures;
    for (SimulatedPoint& one : result_.simulated) {
      one.predicted = predictions_.predicted(one.point);
      figures.push_back(one.figures);
    }
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

  // Of all points, those of as many tails as may be profiled, first those with the fewest choices
  // that are not the first. Of a large space all have the first tail.
  void predict_first() {
    const std::vector<Point> open = candidates_.open();
    std::vector<Point> tails;
    std::set<std::vector<std::uint32_t>> known;
    for (const Point& point : open) {
      if (known.insert(Space::tail_of(point)).second)
        tails.push_back(point);
    }
    const auto changes = [](const Point& point) {
      const auto tail = Space::tail_of(point);
      return static_cast<std::size_t>(tail.size()) -
             static_cast<std::size_t>(std::count(tail.begin(), tail.end(), 0U));
    };
    std::stable_sort(tails.begin(), tails.end(),
                     [&](const Point& a, const Point& b) { return changes(a) < changes(b); });
    for (const Point& point : tails)
      profile(point);
    predictions_.predict(open, Predictions::kMostAtOnce);
  }

  // Whether points with the tail of this one are predicted by a profile of their own from now on.
  bool profile(const Point& point) {
    const std::size_t most = std::max<std::size_t>(1, share_of(kShareOfProfiles, plan_.most_runs));
    if (!predictions_.has_model() || predictions_.has_profile(point) ||
        result_.profiles >= std::min(most, kMostProfiles) || !has_budget())
      return false;
    predictions_.add_profile(point);
    ++result_.profiles;
    ++result_.runs;
    return true;
  }

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
    if (plan_.short_packets == 0)
      return simulate(choose(size), plan_.packets);
    if (size < kLeastRound / 2 && !short_runs_.empty())
      return simulate(promoted(size), plan_.packets);  // the last runs
    const std::size_t short_runs = share_of(kShareOfShortRuns, size);
    const auto chosen = choose(short_runs);
    simulate(chosen, plan_.short_packets);
    const bool has_run = !chosen.empty();
    return simulate(promoted(std::min(runs_left(), size - short_runs)), plan_.packets) || has_run;
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

  // The best of the points, by what they showed.
  [[nodiscard]] std::vector<Point> best_of(const std::map<Point, MappingFigures>& runs,
                                           std::size_t count) const {
    std::vector<Point> points, best;
    std::vector<MappingFigures> figures;
    for (const auto& [point, of_run] : runs) {
      points.push_back(point);
      figures.push_back(of_run);
    }
    for (const std::size_t i : judge_.best(figures, count))
      best.push_back(points[i]);
    return best;
  }

  // The best of what was run shortly alone.
  std::vector<Point> promoted(std::size_t count) {
    const std::vector<Point> best = best_of(short_runs_, count);
    for (const Point& point : best)
      short_runs_.erase(point);
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
    estimator_.learn(point, is_short ? RunLength::kShort : RunLength::kFull, outcome);
    if (!outcome.figures)
      result_.failed.push_back({point, outcome.failure});
    else if (is_short)
      short_runs_[point] = *outcome.figures;
    else
      result_.simulated.push_back({point, *outcome.figures, std::nullopt});
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
    std::vector<Point> chosen;
    if (estimator_.seen().empty()) {
      choose_by_estimate(candidates_.open(), (count + 1) / 2, chosen);
      choose_of_each_kind(count, chosen);
      return chosen;
    }
    const std::vector<Point> best = best_of(estimator_.seen(), kBestWithNeighbours);
    estimator_.fit();
    if (!candidates_.holds_all() && !predictions_.has_profile(best.front()))
      follow(best.front());
    const std::vector<Point> near = neighbours_of(best);
    estimator_.fit();
    const Shares& shares = candidates_.holds_all() ? kWholeSpace : kLargeSpace;
    choose_by_estimate(candidates_.open(), share_of(shares.of_model, count), chosen);
    const std::size_t with_neighbours = share_of(shares.of_model + shares.of_neighbours, count);
    choose_untested(best.front(), with_neighbours, chosen);
    choose_by_estimate(near, with_neighbours, chosen);
    if (candidates_.holds_all())
      choose_at_random(count, chosen);
    else
      choose_changed(best, count, chosen);
    return chosen;
  }

  // Structures with the other choices of the best point so far, those predicted that are estimated
  // to be best.
  void follow(const Point& best) {
    std::vector<Point> points;
    for (std::size_t index = 0; index < space_.structures().size(); ++index) {
      Point point = best;
      point.front() = static_cast<std::uint32_t>(index);
      if (points.size() < kMostCandidates && space_.is_canonical(point) && candidates_.add(point))
        points.push_back(std::move(point));
    }
    std::vector<MappingFigures> estimates;
    for (const Point& point : points)
      estimates.push_back(estimator_.estimate(point));
    std::vector<Point> promising;
    for (const std::size_t i : judge_.best(estimates, Predictions::kMostInRound))
      promising.push_back(points[i]);
    if (profile(best))
      predictions_.predict(promising, Predictions::kMostInRound);
  }

  // One point of each kind, so that no kind is left out because others were seen first.
  void choose_of_each_kind(std::size_t count, std::vector<Point>& chosen) {
    std::map<std::string, std::vector<Point>> kinds;
    for (const Point& point : candidates_.open())
      kinds[space_.kind(point)].push_back(point);
    for (const auto& [kind, points] : kinds) {
      if (chosen.size() < count)
        choose_by_estimate(points, chosen.size() + 1, chosen);
    }
    choose_by_estimate(candidates_.open(), count, chosen);
  }

  // Neighbours of the best points, which become candidates.
  std::vector<Point> neighbours_of(const std::vector<Point>& best) {
    std::vector<Point> near;
    for (const Point& point : best) {
      for (const Point& neighbour : space_.neighbours(point)) {
        if (near.size() < kMostCandidates && candidates_.add(neighbour))
          near.push_back(neighbour);
      }
    }
    predictions_.predict(near, Predictions::kMostInRound);
    return near;
  }

  // Those that are estimated to be best, until `chosen` has so many.
  void choose_by_estimate(std::vector<Point> points, std::size_t until,
                          std::vector<Point>& chosen) {
    const std::size_t wanted = until > chosen.size() ? until - chosen.size() : 0;
    if (wanted == 0)
      return;
    std::erase_if(points, [&](const Point& point) {
      return std::find(chosen.begin(), chosen.end(), point) != chosen.end();
    });
    std::vector<MappingFigures> estimates;
    for (const Point& point : points)
      estimates.push_back(estimator_.estimate(point));
    for (const std::size_t i : judge_.best(estimates, wanted))
      choose_one(points[i], chosen);
  }

  // Neighbours of the best point with a choice that no run had: first of tables and parameters,
  // which no prediction covers before they are profiled, then of queues.
  void choose_untested(const Point& best, std::size_t until, std::vector<Point>& chosen) {
    std::vector<Point> untested;
    for (const Point& point : space_.neighbours(best)) {
      if (!estimator_.is_tested(point) && candidates_.add(point))
        untested.push_back(point);
    }
    std::stable_partition(untested.begin(), untested.end(), [&](const Point& point) {
      return Space::tail_of(point) != Space::tail_of(best);
    });
    for (std::size_t i = 0; i < untested.size() && chosen.size() < until; ++i)
      choose_one(untested[i], chosen);
  }

  void choose_one(const Point& point, std::vector<Point>& chosen) {
    candidates_.take(point);
    chosen.push_back(point);
  }

  void choose_at_random(std::size_t count, std::vector<Point>& chosen) {
    std::vector<Point> open;
    if (candidates_.holds_all())
      open = candidates_.open();
    for (int draw = 0; chosen.size() < count && draw < kMostDraws; ++draw) {
      if (open.empty() && candidates_.holds_all())
        return;
      const Point point = open.empty() ? space_.random(random_) : open[random_.below(open.size())];
      if (candidates_.add(point))
        choose_one(point, chosen);
    }
  }

  // The best with two axes changed at random.
  void choose_changed(const std::vector<Point>& best, std::size_t count,
                      std::vector<Point>& chosen) {
    for (int draw = 0; chosen.size() < count && draw < kMostDraws; ++draw) {
      Point point = best[random_.below(best.size())];
      for (int change = 0; change < 2; ++change) {
        const auto near = space_.neighbours(point);
        if (!near.empty())
          point = near[random_.below(near.size())];
      }
      if (candidates_.add(point))
        choose_one(point, chosen);
    }
  }

  const Space& space_;
  const Judge& judge_;
  const Simulator& simulator_;
  const SearchPlan& plan_;
  workloads::Random random_;
  Candidates candidates_;
  Predictions predictions_;
  Estimator estimator_;
  std::map<Point, MappingFigures> short_runs_;  // of points that were not run at full length
  SearchResult result_;
};

}  // namespace

SearchResult search(const Space& space, const Judge& judge, const PointPredictor& predictor,
                    const Simulator& simulator, const SearchPlan& plan) {
  return Search(space, judge, predictor, simulator, plan).run();
}

}  // namespace nplab::experiments
