#include "experiments/run/isolated_runs.h"

#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "support/forked_work.h"

namespace nplab::experiments {
namespace {

// What a run's process sends: lines `p FRACTION`, then a line `r`, and after it the record's text.
constexpr char kProgressLine = 'p';
constexpr char kRecordLine = 'r';

ForkedWork::Work sending(const IsolatedRun& run) {
  return [&run](const ForkedWork::Send& send) {
    const auto record = run.run([&send](double done) {
      send(std::string(1, kProgressLine) + " " + std::to_string(done) + "\n");
    });
    send(std::string(1, kRecordLine) + "\n" +
         reports::to_json(record, reports::JsonLayout::kCompact));
  };
}

// A run whose process was started, and what it has sent so far.
class StartedRun {
 public:
  StartedRun(std::string name, ForkedWork work) : name_(std::move(name)), work_(std::move(work)) {}

  [[nodiscard]] int file() const { return work_.file(); }
  [[nodiscard]] bool ended() const { return work_.end().has_value(); }
  [[nodiscard]] double done() const { return ended() ? 1 : done_; }

  void read() {
    text_ += work_.read();
    while (!text_.empty() && text_.front() == kProgressLine) {
      const auto end = text_.find('\n');
      if (end == std::string::npos)
        return;
      done_ = std::strtod(text_.c_str() + 1, nullptr);
      text_.erase(0, end + 1);
    }
    if (ended())
      take_record();
  }

  // Of a run that has ended.
  [[nodiscard]] std::optional<reports::RunRecord> record(Diagnostics& diagnostics) {
    diagnostics.append(problems_);
    return std::move(record_);
  }

 private:
  // The text is given back at once: what this process holds is copied for each run that it starts.
  void take_record() {
    if (work_.end()->succeeded() && text_.size() >= 2 && text_.front() == kRecordLine)
      record_ = reports::from_json(text_.substr(2), name_, problems_);
    else
      problems_.error(without_lines(name_), "the simulation's process " + work_.end()->text() +
                                                " before it had sent its record");
    std::string().swap(text_);
  }

  std::string name_;
  ForkedWork work_;
  std::string text_;
  double done_ = 0;
  std::optional<reports::RunRecord> record_;
  Diagnostics problems_;
};

void read_what_came(std::vector<StartedRun>& started) {
  std::vector<pollfd> files;
  std::vector<StartedRun*> active;
  for (StartedRun& run : started) {
    if (run.ended())
      continue;
    files.push_back({run.file(), POLLIN, 0});
    active.push_back(&run);
  }
  if (::poll(files.data(), files.size(), -1) < 0)
    return;  // interrupted by a signal
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (files[i].revents != 0)
      active[i]->read();
  }
}

double done_of(const std::vector<StartedRun>& started, std::size_t runs) {
  const double sum =
      std::accumulate(started.begin(), started.end(), 0.0,
                      [](double done, const StartedRun& run) { return done + run.done(); });
  return sum / static_cast<double>(runs);
}

}  // namespace

std::size_t processors() {
  return std::max(1u, std::thread::hardware_concurrency());
}

std::vector<std::optional<reports::RunRecord>> run_isolated_each(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    Diagnostics& diagnostics, std::size_t at_once) {
  std::vector<StartedRun> started;
  for (;;) {
    const auto active = static_cast<std::size_t>(std::count_if(
        started.begin(), started.end(), [](const StartedRun& run) { return !run.ended(); }));
    if (active == 0 && started.size() == runs.size())
      break;
    if (active < at_once && started.size() < runs.size()) {
      const IsolatedRun& next = runs[started.size()];
      auto work = ForkedWork::start(next.name, sending(next), diagnostics);
      if (!work)
        break;
      started.emplace_back(next.name, std::move(*work));
      continue;
    }
    read_what_came(started);
    progress(done_of(started, runs.size()));
  }
  std::vector<std::optional<reports::RunRecord>> records(runs.size());
  for (std::size_t i = 0; i < started.size(); ++i) {
    if (started[i].ended())
      records[i] = started[i].record(diagnostics);
  }
  return records;
}

std::optional<std::vector<reports::RunRecord>> run_isolated(
    const std::vector<IsolatedRun>& runs, const std::function<void(double)>& progress,
    Diagnostics& diagnostics, std::size_t at_once) {
  std::vector<reports::RunRecord> records;
  for (auto& record : run_isolated_each(runs, progress, diagnostics, at_once)) {
    if (record)
      records.push_back(std::move(*record));
  }
  if (records.size() != runs.size())
    return std::nullopt;
  return records;
}

}  // namespace nplab::experiments
