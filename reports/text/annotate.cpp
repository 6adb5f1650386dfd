#include "reports/text/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "reports/analysis/calibration_work.h"
#include "reports/analysis/causes.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/source_lines.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

using Place = std::pair<std::string, Count>;  // file, line

constexpr std::size_t kTextColumn = 69;  // where causes begin, after a line's figures and number

class Annotation {
 public:
  Annotation(const RunRecord& record, const AnnotateOptions& options)
      : record_(record), options_(options), texts_(record) {
    for (const Line& line : record.lines)
      add(line);
    for (const Engine& engine : record.engines) {
      if (options.engine && engine.id != *options.engine)
        continue;
      if (engine.words == 0)
        continue;  // off
      cycles_ += record.cycles.core;
      idle_ += engine.cycles.idle;
    }
  }

  std::string render() {
    rows_.push_back(fmt::format(
        "{:>12} {:>12} {:>12} {:>7} {:>12}    {}", "executing", "aborted", "stalled", "share %",
        "waiting", options_.order == AnnotateOptions::Order::kHottest ? "source line" : ""));
    if (options_.order == AnnotateOptions::Order::kHottest)
      hottest();
    else
      in_place();
    if (busy_cycles(calibration_) > 0)
      rows_.push_back(fmt::format("{}   calibration work: stands for code that was not printed",
                                  cost(calibration_)));
    rows_.push_back(fmt::format("{}   all lines; idle {} cycles, {:.1f} %", cost(total_), idle_,
                                percentage(idle_, cycles_)));
    return join_lines(rows_);
  }

 private:
  void add(const Line& line) {
    if (options_.engine && line.engine != *options_.engine)
      return;
    add_cost(total_, line);
    if (!line.file.ends_with(options_.file))
      return;
    // A list of the hottest lines is of code that somebody wrote to be run.
    if (options_.order == AnnotateOptions::Order::kHottest && options_.file.empty() &&
        is_calibration_work(line.file))
      return add_cost(calibration_, line);
    add_cost(costs_[{line.file, line.line}], line);
  }

  [[nodiscard]] std::string cost(const Line& line) const {
    return fmt::format("{:>12} {:>12} {:>12} {:>7.2f} {:>12} {}", line.executing, line.aborted,
                       line.stalled, percentage(busy_cycles(line), cycles_), line.waiting,
                       use_letter(line));
  }

  // What is after a line's figures, where anything is.
  void add_causes(const Line& line) {
    if (!options_.causes)
      return;
    std::string text;
    const auto add = [&](const char* what, const CountByName& counts) {
      if (!counts.empty())
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", what, counts_text(counts));
    };
    add("stalled on", line.stalled_on);
    add("waits for", line.waiting_on);
    add("references", line.references);
    add("longwords", line.longwords);
    add("cache hits", line.cache_hits);
    add("cache misses", line.cache_misses);
    if (!text.empty())
      rows_.push_back(std::string(kTextColumn, ' ') + text);
  }

  void hottest() {
    std::vector<std::pair<Place, Line>> order(costs_.begin(), costs_.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& x, const auto& y) {
      return std::tuple(busy_cycles(x.second), x.second.waiting) >
             std::tuple(busy_cycles(y.second), y.second.waiting);
    });
    const std::size_t shown =
        options_.most_lines == 0 ? order.size() : std::min(order.size(), options_.most_lines);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& [place, line] = order[i];
      const std::string where =
          place.second == 0 ? place.first : fmt::format("{}:{}", place.first, place.second);
      rows_.push_back(fmt::format("{}  {}  {}", cost(line), where,
                                  texts_.statement(place.first, place.second)));
      add_causes(line);
    }
    if (shown < order.size())
      rows_.push_back(fmt::format("{:>59} ... {} more lines", "", order.size() - shown));
  }

  void in_place() {
    for (const auto& [file, lines] : texts_.files()) {
      if (!file.ends_with(options_.file) || !has_cost(file))
        continue;
      rows_.push_back(fmt::format("{:>62}{}", "", file));
      for (std::size_t number = 1; number <= lines.size(); ++number) {
        const auto found = costs_.find({file, number});
        const std::string columns =
            found == costs_.end() ? std::string(61, ' ') : cost(found->second);
        rows_.push_back(fmt::format("{} {:>5}  {}", columns, number, lines[number - 1]));
        if (found != costs_.end())
          add_causes(found->second);
      }
    }
    for (const auto& [place, line] : costs_)
      if (place.second == 0 || !texts_.files().contains(place.first))
        rows_.push_back(fmt::format("{}  {}", cost(line), place.first));
  }

  [[nodiscard]] bool has_cost(const std::string& file) const {
    const auto first = costs_.lower_bound({file, 0});
    return first != costs_.end() && first->first.first == file;
  }

  const RunRecord& record_;
  const AnnotateOptions& options_;
  std::map<Place, Line> costs_;
  SourceTexts texts_;
  Line total_;
  Line calibration_;
  Count cycles_ = 0;
  Count idle_ = 0;
  std::vector<std::string> rows_;
};

}  // namespace

std::string render_annotated(const RunRecord& record, const AnnotateOptions& options) {
  return Annotation(record, options).render();
}

}  // namespace nplab::reports
