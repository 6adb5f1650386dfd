#include "tools/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/study_metrics.h"

namespace nplab::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPointWidth = 11;

bool is_within(const StudyClaim& claim, double value) {
  return (!claim.at_least || value >= *claim.at_least) && (!claim.at_most || value <= *claim.at_most) &&
         (!claim.below || value < *claim.below);
}

std::string bounds(const StudyClaim& claim) {
  std::string text;
  const auto add = [&](const char* word, const std::optional<double>& bound) {
    if (bound) text += fmt::format("{}{} {:g}", text.empty() ? "" : ", ", word, *bound);
  };
  add("at least", claim.at_least);
  add("at most", claim.at_most);
  add("below", claim.below);
  return text;
}

const char* name_of(JudgedClaim::Outcome outcome) {
  switch (outcome) {
    case JudgedClaim::Outcome::kHeld: return "held";
    case JudgedClaim::Outcome::kFailed: return "FAILED";
    case JudgedClaim::Outcome::kNotLookedAt: return "not looked at";
  }
  return "";
}

std::string figure_text(std::optional<double> value) {
  if (!value) return "-";
  return fmt::format("{:.{}f}", *value, std::abs(*value) >= 1000 ? 0 : 2);
}

std::optional<double> ratio(std::optional<double> value, std::optional<double> base) {
  if (!value || !base || *base == 0) return std::nullopt;
  return *value / *base;
}

class StudyText {
 public:
  StudyText(const Study& study, const StudyResults& results) : study_(study), results_(results) {
    for (const StudySeries& series : study.series) label_width_ = std::max(label_width_, series.name.size() + 2);
    for (const StudyFigure& figure : study.figures) {
      label_width_ = std::max(label_width_, figure.title.size() + study.axis.size() + 5);
    }
  }

  std::string text() const {
    std::string text = fmt::format("Study {}: {}\n", study_.name, study_.summary);
    if (!study_.source.empty()) text += fmt::format("  after {}\n", study_.source);
    for (std::size_t i = 0; i < study_.figures.size(); ++i) {
      text += "\n" + table(study_.figures[i], i == 0 ? Published::kBeside : Published::kNone);
    }
    text += claims();
    for (const std::string& note : study_.notes) text += fmt::format("\nNote: {}\n", note);
    for (const StudyRun* run : results_.failures()) {
      text += fmt::format("\nRun {} at {} {} FAILED: {}\n", study_.series[run->series].name, study_.axis, run->point,
                          run->record.failure->message);
      for (const std::string& detail : run->record.failure->details) text += fmt::format("  {}\n", detail);
    }
    return text;
  }

 private:
  enum class Published { kNone, kBeside };

  [[nodiscard]] std::string line(const std::string& label, const std::vector<std::string>& cells) const {
    std::string text = fmt::format("  {:<{}}", label, label_width_);
    for (const std::string& cell : cells) text += fmt::format(" {:>{}}", cell, kPointWidth);
    return text + "\n";
  }

  [[nodiscard]] std::string table(const StudyFigure& figure, Published published) const {
    std::string text = line(fmt::format("{}, by {}", figure.title, study_.axis), study_.points);
    for (const StudySeries& series : study_.series) {
      text += line(series.name, cells(series, [&](const StudyPoint& p) {
        return results_.value(figure.metric, series.name, p);
      }));
      if (published == Published::kNone) continue;
      if (study_.relative) text += line("  relative", cells(series, [&](const StudyPoint& p) {
        return relative(figure.metric, series, p);
      }));
      if (series.published.empty()) continue;
      text += line("  published", cells(series, [&](const StudyPoint& p) { return published_at(series, p); }));
      if (study_.relative) text += line("    relative", cells(series, [&](const StudyPoint& p) {
        return published_relative(series, p);
      }));
    }
    return text;
  }

  template <class Value>
  [[nodiscard]] std::vector<std::string> cells(const StudySeries&, Value value) const {
    std::vector<std::string> texts;
    for (const StudyPoint& point : study_.points) texts.push_back(figure_text(value(point)));
    return texts;
  }

  [[nodiscard]] std::optional<double> relative(const std::string& metric, const StudySeries& series,
                                               const StudyPoint& point) const {
    const StudyReference& by = series.relative ? *series.relative : *study_.relative;
    return ratio(results_.value(metric, series.name, point),
                 results_.value(metric, by.series.empty() ? series.name : by.series, by.at.value_or(point)));
  }

  static std::optional<double> published_at(const StudySeries& series, const StudyPoint& point) {
    const auto at = series.published.find(point);
    return at == series.published.end() ? std::nullopt : std::optional(at->second);
  }

  // As in print: always by the series' own.
  [[nodiscard]] std::optional<double> published_relative(const StudySeries& series, const StudyPoint& point) const {
    return ratio(published_at(series, point), published_at(series, study_.relative->at.value_or(point)));
  }

  [[nodiscard]] std::string claims() const {
    std::string text = study_.claims.empty() ? "" : "\nClaims\n";
    for (const JudgedClaim& judged : results_.claims()) {
      text += fmt::format("  {:<13} {}\n", name_of(judged.outcome), judged.claim->text);
      if (judged.values.empty()) continue;
      std::string values;
      for (const auto& [point, value] : judged.values) {
        values += fmt::format("{}{}: {:.3f}", values.empty() ? "" : ", ", point, value);
      }
      text += fmt::format("  {:<13} {} ({}{})\n", "", values, bounds(*judged.claim),
                          judged.claim->some ? " at some" : "");
      if (judged.outcome == JudgedClaim::Outcome::kFailed && !judged.claim->cause.empty()) {
        text += fmt::format("  {:<13} cause: {}\n", "", judged.claim->cause);
      }
    }
    return text;
  }

  const Study& study_;
  const StudyResults& results_;
  std::size_t label_width_ = 0;
};

}  // namespace

std::optional<double> StudyResults::value(const std::string& metric, const std::string& series,
                                          const StudyPoint& point) const {
  for (const StudyRun& run : runs_) {
    if (study_.series[run.series].name == series && run.point == point) return study_metric(metric, run.record);
  }
  return std::nullopt;
}

std::optional<double> StudyResults::claimed(const StudyClaim& claim, const StudyPoint& point) const {
  const auto figure = value(claim.metric, claim.series, point);
  if (!claim.over) return figure;
  const std::string& series = claim.over->series.empty() ? claim.series : claim.over->series;
  return ratio(figure, value(claim.metric, series, claim.over->at.value_or(point)));
}

std::vector<JudgedClaim> StudyResults::claims() const {
  std::vector<JudgedClaim> judged;
  for (const StudyClaim& claim : study_.claims) {
    JudgedClaim one{&claim, JudgedClaim::Outcome::kNotLookedAt, {}};
    std::size_t held = 0;
    for (const StudyPoint& point : claim.at) {
      const auto ratio = claimed(claim, point);
      if (!ratio) continue;
      one.values.emplace_back(point, *ratio);
      held += is_within(claim, *ratio) ? 1 : 0;
    }
    if (!one.values.empty()) {
      const bool holds = claim.some ? held > 0 : held == one.values.size();
      one.outcome = holds ? JudgedClaim::Outcome::kHeld : JudgedClaim::Outcome::kFailed;
    }
    judged.push_back(std::move(one));
  }
  return judged;
}

std::vector<const StudyRun*> StudyResults::failures() const {
  std::vector<const StudyRun*> failed;
  for (const StudyRun& run : runs_) {
    if (run.record.failure) failed.push_back(&run);
  }
  return failed;
}

std::string render_study(const Study& study, const StudyResults& results) { return StudyText(study, results).text(); }

std::string study_json(const Study& study, const StudyResults& results) {
  Json json{{"schema", "nplab.study/1"}, {"study", study.name}, {"axis", study.axis}, {"points", study.points},
            {"packets", study.options.packets}, {"series", Json::array()}, {"claims", Json::array()}};
  for (const StudySeries& series : study.series) {
    Json one{{"name", series.name}, {"mapping", series.mapping}, {"points", Json::array()}};
    for (const StudyPoint& point : series.points) {
      Json figures{{"point", point}};
      for (const StudyFigure& figure : study.figures) {
        const auto value = results.value(figure.metric, series.name, point);
        figures[figure.metric] = value ? Json(*value) : Json(nullptr);
      }
      const auto published = series.published.find(point);
      if (published != series.published.end()) figures["published"] = published->second;
      one["points"].push_back(std::move(figures));
    }
    json["series"].push_back(std::move(one));
  }
  for (const JudgedClaim& judged : results.claims()) {
    Json one{{"claim", judged.claim->text}, {"outcome", name_of(judged.outcome)}, {"bounds", bounds(*judged.claim)},
             {"values", Json::object()}};
    for (const auto& [point, value] : judged.values) one["values"][point] = value;
    if (!judged.claim->cause.empty()) one["cause"] = judged.claim->cause;
    json["claims"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace nplab::tools
