#include "experiments/exploration/exploration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>

#include "experiments/exploration/evaluation.h"
#include "experiments/exploration/exploration_files.h"
#include "experiments/exploration/journal.h"
#include "experiments/exploration/model_predictor.h"
#include "experiments/exploration/points_table.h"
#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/program_identity.h"
#include "mappings/files/catalog.h"
#include "mappings/files/mapping_file.h"
#include "support/input_file.h"
#include "support/sha256.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kUnlimitedRuns = 100'000;  // time ends such a search long before
constexpr std::uint64_t kShortShare = 4;         // a short run has so much less packets
constexpr std::uint64_t kLeastShortPackets = 200;
// Between two looks at the time; a multiple of the processors.
constexpr std::size_t kJobsPerProcessor = 2;

std::string content_of(const std::string& path) {
  Diagnostics unread;
  std::error_code unreadable;
  const auto file =
      fs::is_regular_file(path, unreadable) ? read_input_file(path, unread) : std::nullopt;
  return file ? file->sha256 : path;
}

// What the outcomes of runs depend on.
std::string identity_of(const ExplorationRequest& request, const Terrain& terrain) {
  const SpaceInputs& inputs = terrain.space.inputs();
  const workloads::Workload& workload = terrain.inputs.workload;
  std::vector<std::string> parts{program_identity().build_id,
                                 request.algorithm,
                                 content_of(inputs.chip_name),
                                 content_of(inputs.workload_name),
                                 workload.rules.sha256(),
                                 workload.traffic.sha256(),
                                 inputs.description.sha256,
                                 fmt::format("{}", terrain.space.points()),
                                 fmt::format("{}", terrain.port_rate),
                                 fmt::format("{}", workload.seed),
                                 fmt::format("{}", static_cast<int>(workload.l4_key)),
                                 fmt::format("{}", is_lossless(request.options.arrival))};
  parts.insert(parts.end(), request.options.set.begin(), request.options.set.end());
  return sha256_hex(fmt::format("{}", fmt::join(parts, "\n")));
}

class Explorer {
 public:
  Explorer(const ExplorationRequest& request, const Terrain& terrain, Journal journal,
           const std::function<void(const ExplorationStatus&)>& progress)
      : request_(request),
        terrain_(terrain),
        journal_(std::move(journal)),
        progress_(progress),
        started_(Clock::now()) {}

  Exploration run(Diagnostics& diagnostics) {
    found_.resumed = journal_.resumed();
    found_.port_rate = terrain_.port_rate;
    say("counting the space", 0);
    found_.count = count_points(terrain_.space);
    run_listed_mappings();
    choose_objectives();
    const SearchPlan plan = make_plan();
    found_.short_packets = plan.short_packets;
    const Judge judge(found_.objectives, terrain_.port_rate);
    ModelPredictor model(terrain_.space, terrain_.inputs, request_.options);
    PointPredictor predictor;
    if (plan.method == SearchMethod::kHalving) {
      say("profiling", 0);
      predictor = [&](const Point& point) { return predict(model, point); };
    }
    found_.search = search(
        terrain_.space, judge, predictor,
        [&](const std::vector<Job>& jobs) { return simulate(jobs); }, plan);
    for (const std::size_t i : found_.search.front) {
      SimulatedPoint& point = found_.search.simulated[i];
      if (point.predicted)
        point.predicted = predict_front(model, point.point);
    }
    write_front(diagnostics);
    if (plan.method == SearchMethod::kAll)
      predict_all(model);
    write_points(diagnostics);
    return std::move(found_);
  }

 private:
  // A mapping of the front ran, so its programs were compiled: from them, else from the parts.
  static std::optional<MappingFigures> predict_front(ModelPredictor& model, const Point& point) {
    Diagnostics not_compiled;
    const auto from_programs = model.predict_compiled(point, not_compiled);
    return from_programs ? from_programs : model.predict_with_bound(point);
  }

  std::optional<MappingFigures> predict(ModelPredictor& model, const Point& point) {
    auto figures = model.predict(point);
    if (figures)
      predicted_[point] = *figures;
    return figures;
  }

  // What a search with predictions would have known of the points.
  void predict_all(ModelPredictor& model) {
    say("predicting", 1);
    for (const auto& [job, outcome] : journal_.outcomes()) {
      if (!predicted_.contains(job.point))
        predict(model, job.point);
    }
  }

  void write_points(Diagnostics& diagnostics) {
    found_.points = (fs::path(request_.folder) / "points.csv").string();
    UnfinishedFile file(found_.points);
    file.stream() << points_csv(terrain_.space, journal_.outcomes(), predicted_);
    file.commit(diagnostics);
  }

  void say(const std::string& text, double done) const {
    if (progress_)
      progress_({text, done});
  }

  [[nodiscard]] double share_of_time() const {
    const std::chrono::duration<double> taken = Clock::now() - started_;
    return taken.count() / request_.seconds;
  }

  // The mappings of the algorithm that name the chip, without the work that stands for code that
  // was not printed: the search's mappings have none.
  void run_listed_mappings() {
    const mappings::Catalog catalog((data_directory() / "mappings").string());
    for (const mappings::MappingListing& listing : catalog.mappings()) {
      Diagnostics unread;
      const auto file = listing.algorithm == request_.algorithm
                            ? mappings::read_mapping_file(listing.path, {}, unread)
                            : std::nullopt;
      if (!file || file->chip.value != terrain_.space.inputs().chip_name)
        continue;
      say("simulating " + listing.name, 0);
      ExperimentOptions options = request_.options;
      for (const auto& [name, entry] : file->tuning)
        options.set.push_back(fmt::format("tuning.{}=0", name));
      found_.listed.push_back({listing.name, run_listed(listing.path, options)});
    }
  }

  // Where a listed mapping takes all that the ports bring, no mapping has a higher rate.
  void choose_objectives() {
    const Judge judge({Objective::kRate}, terrain_.port_rate);
    found_.ports_are_reached =
        std::any_of(found_.listed.begin(), found_.listed.end(), [&](const ListedMapping& listed) {
          return listed.outcome.figures && judge.reaches_ports(*listed.outcome.figures);
        });
    found_.objectives = request_.objectives;
    if (!found_.objectives.empty())
      return;
    found_.objectives =
        found_.ports_are_reached
            ? std::vector{Objective::kRate, Objective::kEngines, Objective::kLatency}
            : std::vector{Objective::kRate, Objective::kLatency, Objective::kEngines};
  }

  SearchPlan make_plan() {
    SearchPlan plan;
    plan.method = request_.method;
    plan.packets = request_.options.packets;
    plan.short_packets = plan.packets / kShortShare;
    if (plan.short_packets < kLeastShortPackets || plan.method != SearchMethod::kHalving)
      plan.short_packets = 0;
    plan.most_runs = request_.runs == 0 ? kUnlimitedRuns : request_.runs;
    if (request_.seconds > 0)
      plan.time_used = [this] { return share_of_time(); };
    plan.seed = request_.seed;
    plan.progress = [this](const SearchStatus& status) {
      status_ = fmt::format("{} runs", status.runs);
      if (status.best)
        status_ += fmt::format(", best {:.0f} packets/s on {} engines, p99 {:.0f} cycles",
                               status.best->packets_per_s, status.best->engines,
                               status.best->latency_p99_cycles);
      done_ = status.done;
      say(status_, done_);
    };
    return plan;
  }

  // The outcomes that the journal does not have are simulated, a few at a time, so that the search
  // ends when its time does: then outcomes are missing at the end.
  std::vector<Outcome> simulate(const std::vector<Job>& jobs) {
    const std::size_t at_once =
        kJobsPerProcessor * std::max(1U, std::thread::hardware_concurrency());
    std::vector<Outcome> outcomes;
    for (std::size_t first = 0; first < jobs.size(); first += at_once) {
      if (first > 0 && request_.seconds > 0 && share_of_time() >= 1)
        break;
      const std::vector<Job> some(
          jobs.begin() + static_cast<std::ptrdiff_t>(first),
          jobs.begin() + static_cast<std::ptrdiff_t>(std::min(jobs.size(), first + at_once)));
      run_missing(some);
      for (const Job& job : some)
        outcomes.push_back(*journal_.find(job));
    }
    return outcomes;
  }

  void run_missing(const std::vector<Job>& jobs) {
    std::vector<Job> missing;
    for (const Job& job : jobs) {
      if (journal_.find(job) == nullptr)
        missing.push_back(job);
    }
    const auto outcomes =
        run_jobs({terrain_.space, request_.options, journal_}, missing,
                 [&](double) { say(status_.empty() ? "simulating" : status_, done_); });
    for (std::size_t i = 0; i < missing.size(); ++i)
      journal_.add(missing[i], outcomes[i]);
  }

  void write_front(Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < found_.search.front.size(); ++i) {
      const SimulatedPoint& point = found_.search.simulated[found_.search.front[i]];
      const std::string name = fmt::format("front-{}", i + 1);
      const std::string file = (fs::path(request_.folder) / (name + ".yaml")).string();
      write_mapping_file(file, request_, terrain_, found_, point, diagnostics);
      found_.front.push_back({file, point});
    }
  }

  const ExplorationRequest& request_;
  const Terrain& terrain_;
  Journal journal_;
  const std::function<void(const ExplorationStatus&)>& progress_;
  Clock::time_point started_;
  Exploration found_;
  std::map<Point, MappingFigures> predicted_;
  std::string status_;
  double done_ = 0;
};

}  // namespace

std::optional<Exploration> explore(const ExplorationRequest& request, const Terrain& terrain,
                                   const std::function<void(const ExplorationStatus&)>& progress,
                                   Diagnostics& diagnostics) {
  std::error_code failure;
  fs::create_directories(request.folder, failure);
  auto journal = Journal::open((fs::path(request.folder) / "journal.jsonl").string(),
                               identity_of(request, terrain), diagnostics);
  if (!journal)
    return std::nullopt;
  return Explorer(request, terrain, std::move(*journal), progress).run(diagnostics);
}

}  // namespace nplab::experiments
