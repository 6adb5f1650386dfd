#include "experiments/exploration/scatter_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/tables/table.h"

namespace nplab::experiments {
namespace {

constexpr double kSize = 400, kMargin = 56;
// Right of the plot: points that were simulated and not predicted.
constexpr double kUnpredictedX = kSize - kMargin + 28;

bool is_on_front(const Exploration& found, std::size_t i) {
  const auto& front = found.search.front;
  return std::find(front.begin(), front.end(), i) != front.end();
}

double predicted_rate(const SimulatedPoint& point) {
  return point.predicted ? point.predicted->packets_per_s : 0;
}

double greatest_rate(const Exploration& found) {
  double most = 1;
  for (const SimulatedPoint& point : found.search.simulated)
    most = std::max({most, point.figures.packets_per_s, predicted_rate(point)});
  return most;
}

// 1, 2 or 5 times a power of ten, so that an axis has at most seven ticks.
double tick_step(double most) {
  const double power = std::pow(10, std::floor(std::log10(most)) - 1);
  for (const double step : {1.0, 2.0, 5.0, 10.0, 20.0})
    if (most <= 7 * step * power)
      return step * power;
  return 50 * power;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\" font-size=\"11\" "
      "fill=\"currentColor\">{}</text>\n",
      x, y, anchor, text);
}

std::string axes(double most, double step) {
  constexpr double kEnd = kSize - kMargin;
  const auto at = [most](double value) { return value / most * (kSize - 2 * kMargin); };
  std::string svg = fmt::format(
      "<g stroke=\"currentColor\" fill=\"none\"><path d=\"M{0} {1}H{1}M{0} {1}V{0}\"/>"
      "<path stroke-dasharray=\"4\" opacity=\"0.5\" d=\"M{0} {1}L{1} {0}\"/></g>\n",
      kMargin, kEnd);
  for (double value = 0; value <= most; value += step) {
    const std::string label = fmt::format("{:g} k", value / 1000);
    svg += text_at(kMargin + at(value), kEnd + 16, "middle", label);
    svg += text_at(kMargin - 6, kEnd - at(value) + 4, "end", label);
  }
  return svg + text_at(kSize / 2, kSize - 10, "middle", "predicted packets/s") +
         text_at(kMargin - 6, kMargin - 16, "start", "simulated packets/s");
}

// The profiles are few, so a point may have been chosen by the prediction of a similar one.
std::size_t unpredicted(const Exploration& found) {
  const auto& points = found.search.simulated;
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const auto& point) { return !point.predicted; }));
}

std::string points(const Exploration& found, double most) {
  const auto at = [most](double value) { return value / most * (kSize - 2 * kMargin); };
  std::string svg;
  for (std::size_t i = 0; i < found.search.simulated.size(); ++i) {
    const SimulatedPoint& point = found.search.simulated[i];
    const bool on_front = is_on_front(found, i);
    const std::string colour = on_front ? "#d55e00" : "#0072b2";
    const std::string paint =
        point.predicted ? fmt::format("fill=\"{}\" fill-opacity=\"0.8\"", colour)
                        : fmt::format("class=\"unpredicted\" fill=\"none\" stroke=\"{}\"", colour);
    const std::string predicted =
        point.predicted ? fmt::format("predicted {:.0f}", predicted_rate(point)) : "not predicted";
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}><title>{}, simulated {:.0f} packets/s"
        "</title></circle>\n",
        point.predicted ? kMargin + at(predicted_rate(point)) : kUnpredictedX,
        kSize - kMargin - at(point.figures.packets_per_s), on_front ? 6 : 3, paint, predicted,
        point.figures.packets_per_s);
  }
  if (unpredicted(found) > 0)
    svg += text_at(kUnpredictedX, kMargin - 16, "middle", "no prediction");
  return svg;
}

reports::Table numbers(const Exploration& found) {
  reports::Table table{
      "simulated_points",
      "Mappings simulated at full length, by their choices",
      {{"predicted", "predicted rate"}, {"packets_per_s", "rate"}, {"front", "on the front"}},
      {}};
  for (std::size_t i = 0; i < found.search.simulated.size(); ++i) {
    const SimulatedPoint& point = found.search.simulated[i];
    const std::string name = fmt::format("{}", fmt::join(point.point, "."));
    table.rows.push_back({name,
                          name,
                          {point.predicted ? reports::Cell{predicted_rate(point), "packets/s", 0}
                                           : reports::Cell{{}, "packets/s", 0},
                           reports::Cell{point.figures.packets_per_s, "packets/s", 0},
                           reports::Cell{is_on_front(found, i) ? "yes" : "", "", 0}}});
  }
  return table;
}

}  // namespace

std::string scatter_figure(const Exploration& found, reports::html::Elements& elements) {
  const double rate = greatest_rate(found), step = tick_step(rate);
  const double most = std::ceil(rate / step) * step;
  const reports::Table table = numbers(found);
  const std::size_t hollow = unpredicted(found);
  const std::string explanation =
      hollow == 0
          ? ""
          : fmt::format(
                " {} hollow and right of the plot: not predicted, but chosen by the prediction "
                "of a similar mapping, or at random.",
                hollow == 1 ? "One point is" : fmt::format("{} points are", hollow));
  return fmt::format(
             "<figure class=\"graph\" id=\"scatter\"><figcaption>Predicted and simulated rate"
             "<small>Of all mappings simulated at full length; those of the front are large and "
             "orange. On the dashed line the prediction is exact; it is shown before any "
             "correction.{1}</small></figcaption>\n<div class=\"scroll\" tabindex=\"0\" "
             "role=\"region\" aria-label=\"Predicted and simulated rate\">"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" width=\"{0}\" "
             "height=\"{0}\" role=\"img\" aria-label=\"predicted and simulated rate of every "
             "simulated mapping\">",
             kSize, explanation) +
         axes(most, step) + points(found, most) +
         "</svg></div>\n<details><summary>The numbers</summary>\n" +
         elements.table(table, table.title) + "</details></figure>\n";
}

}  // namespace nplab::experiments
