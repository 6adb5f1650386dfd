#include <nlohmann/json.hpp>

#include "experiments/studies/study_charts.h"
#include "experiments/studies/study_points.h"
#include "experiments/studies/study_results.h"
#include "experiments/studies/study_words.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// What the repetitions gave, and how well their mean is known.
Json repetitions_of(const Study& study, const std::vector<std::optional<double>>& values) {
  Json json{{"values", Json::array()}};
  for (const auto& value : values)
    json["values"].push_back(number_or_null(value));
  const auto summary = summary_of(study, values);
  if (!summary)
    return json;
  json["runs"] = summary->count;
  json["deviation"] = summary->deviation;
  if (summary->half_width) {
    json["low"] = summary->mean - *summary->half_width;
    json["high"] = summary->mean + *summary->half_width;
  }
  return json;
}

Json figures_at(const Study& study, const StudyResults& results, const StudySeries& series,
                const StudyPoint& point) {
  Json figures{{"point", point}};
  if (study.has_axes()) {
    const Combination values = values_at(study, point);
    for (std::size_t i = 0; i < values.size(); ++i)
      figures["at"][study.names[i]] = values[i];
  }
  for (const StudyFigure& figure : study.figures) {
    figures[figure.metric] = number_or_null(results.value(figure.metric, series.name, point));
    if (study.repeat)
      figures["repeated"][figure.metric] =
          repetitions_of(study, results.values(figure.metric, series.name, point));
  }
  return figures;
}

Json chart_of(const Study& study, const StudyChart& chart, const StudyResults& results) {
  Json json{{"title", chart.title},
            {"metric", chart.metric},
            {"relative_to", {{"series", chart.base_series}, {"point", chart.base_at}}},
            {"bars", Json::array()}};
  const std::vector<BarRow> rows = chart_rows(study, chart, results);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json bar{{"name", rows[i].name},
             {"series", chart.bars[i].series},
             {"point", chart.bars[i].at},
             {"value", number_or_null(rows[i].ours.value)},
             {"relative", number_or_null(rows[i].ours.relative)}};
    if (rows[i].published) {
      bar["published"] = number_or_null(rows[i].published->value);
      bar["published_relative"] = number_or_null(rows[i].published->relative);
    }
    json["bars"].push_back(std::move(bar));
  }
  return json;
}

}  // namespace

std::string study_json(const Study& study, const StudyResults& results) {
  Json json{{"schema", "nplab.study/1"},
            {"study", study.name},
            {"axis", study.axis},
            {"points", study.points},
            {"packets", study.options.packets},
            {"series", Json::array()},
            {"claims", Json::array()}};
  if (study.has_axes())
    json["axes"] = study.names;
  if (study.repeat)
    json["repeat"] = {{"runs", study.repeat->runs},
                      {"seed", study.repeat->seed},
                      {"confidence_pct", study.repeat->confidence_pct},
                      {"interval", "Student's t"}};
  for (const StudySeries& series : study.series) {
    Json one{{"name", series.name}, {"mapping", series.mapping}, {"points", Json::array()}};
    for (const StudyPoint& point : series.points) {
      Json figures = figures_at(study, results, series, point);
      if (results.is_refused(series.name, point))
        figures["refused"] = true;
      const auto published = series.published.find(point);
      if (published != series.published.end())
        figures["published"] = published->second;
      one["points"].push_back(std::move(figures));
    }
    json["series"].push_back(std::move(one));
  }
  for (const StudyFigure& figure : study.figures) {
    for (const PublishedRow& row : figure.published) {
      json["published"].push_back(
          {{"metric", figure.metric}, {"name", row.name}, {"points", row.at}});
    }
  }
  for (const StudyChart& chart : study.charts)
    json["charts"].push_back(chart_of(study, chart, results));
  for (const JudgedClaim& judged : results.claims()) {
    Json one{{"claim", judged.claim->text},
             {"outcome", name_of(judged.outcome)},
             {"bounds", bounds_text(*judged.claim)},
             {"values", Json::object()}};
    for (const auto& [point, value] : judged.values)
      one["values"][point] = value;
    if (!judged.claim->cause.empty())
      one["cause"] = judged.claim->cause;
    json["claims"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace nplab::experiments
