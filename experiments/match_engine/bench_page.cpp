#include "experiments/match_engine/bench_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/html/elements.h"
#include "reports/html/figures.h"
#include "reports/html/page_shell.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;
using reports::Cell;
using reports::Row;
using reports::html::Figure;
using reports::html::with_separators;

constexpr const char* kRate = "megapackets_per_s";

// How the points of a figure are drawn. A series with an empty key is the only one.
struct Plot {
  const char* figure;
  const char* title;
  Figure::Kind kind;
  const char* label;                // of the horizontal axis
  std::array<const char*, 2> axis;  // keys of what a point lies at; the second may be empty
  const char* series;               // key
  const char* of_series;            // follows its value in a name
  const char* rate;                 // keys
  const char* analytic;
};

constexpr std::array kPlots = {
    Plot{"flows",
         "Rate over the number of flows",
         Figure::Kind::kDistribution,
         "flows",
         {"flows", ""},
         "channels",
         " channels",
         kRate,
         "analytic_sets_megapackets_per_s"},
    Plot{"state",
         "State in the entries, and on chip",
         Figure::Kind::kBars,
         "channels",
         {"channels", ""},
         "state",
         "",
         kRate,
         "bound_megarequests_per_s"},
    Plot{"updates",
         "Requests over the share of updates",
         Figure::Kind::kLines,
         "% updates",
         {"update_pct", ""},
         "flows",
         " flows",
         "megarequests_per_s",
         "bound_megarequests_per_s"},
    Plot{"tuples",
         "Tuples per lookup",
         Figure::Kind::kDistribution,
         "tuples",
         {"tuples", ""},
         "flows",
         " flows",
         kRate,
         "bound_megarequests_per_s"},
    Plot{"zipf",
         "Flows by Zipf's law",
         Figure::Kind::kLines,
         "exponent",
         {"exponent", ""},
         "",
         "",
         kRate,
         "bound_megarequests_per_s"},
    Plot{"cache",
         "Lines of the cache",
         Figure::Kind::kBars,
         "lines",
         {"lines", ""},
         "flows",
         " flows",
         kRate,
         "analytic_sets_megapackets_per_s"},
    Plot{"queues",
         "Places of the queues",
         Figure::Kind::kDistribution,
         "places",
         {"places", ""},
         "queue",
         " queue",
         kRate,
         "bound_megarequests_per_s"},
    Plot{"cancellation",
         "Reads of lines that are written",
         Figure::Kind::kBars,
         "flows, lines",
         {"flows", "lines"},
         "stale_reads",
         "",
         kRate,
         "bound_megarequests_per_s"},
    Plot{"categories",
         "Categories of rule sets",
         Figure::Kind::kBars,
         "category, entries",
         {"category", "entries"},
         "channels",
         " channels",
         kRate,
         "bound_megapackets_per_s"},
};

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The names of figures and series are not terms of the glossary.
std::string id_of(const std::string& name) {
  return "bench_" + name;
}

// "2 channels", "1 channel"; of words alone, the words.
std::string counted(const std::string& value, const std::string& noun) {
  return with_separators(value) +
         (value == "1" && noun.ends_with("s") ? noun.substr(0, noun.size() - 1) : noun);
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot),
        figure_{plot.kind, "M/s", "", plot.label, {id_of(plot.figure), plot.title, {}, {}}} {}

  void add(const Json& point) {
    const std::string name =
        *plot_.series == 0 ? "measured" : counted(text_of(point.at(plot_.series)), plot_.of_series);
    Row& row = row_of(point);
    set(row, name, point.at(plot_.rate));
    set(row, *plot_.series == 0 ? "analytic" : name + ", analytic", point.at(plot_.analytic));
  }
  // A line at one height.
  void add_level(const std::string& name, double height) {
    for (Row& row : figure_.table.rows)
      set(row, name, height);
  }
  [[nodiscard]] Figure take() {
    for (Row& row : figure_.table.rows)
      row.cells.resize(figure_.table.columns.size());
    return std::move(figure_);
  }

 private:
  Row& row_of(const Json& point) {
    std::string label = text_of(point.at(plot_.axis[0]));
    if (*plot_.axis[1] != 0)
      label += ", " + text_of(point.at(plot_.axis[1]));
    if (plot_.kind == Figure::Kind::kBars)  // else a number on the axis
      label = with_separators(label);
    auto& rows = figure_.table.rows;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&label](const Row& row) { return row.label == label; });
    return found != rows.end() ? *found : rows.emplace_back(Row{id_of(label), label, {}});
  }
  void set(Row& row, const std::string& column, double value) {
    auto& columns = figure_.table.columns;
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&column](const auto& one) { return one.label == column; });
    const auto place = static_cast<std::size_t>(found - columns.begin());
    if (found == columns.end())
      columns.push_back({id_of(column), column});
    row.cells.resize(std::max(row.cells.size(), place + 1));
    row.cells[place] = Cell{value, figure_.unit, 1};
  }

  const Plot& plot_;
  Figure figure_;
};

Figure figure_of(const Plot& plot, const Json& bench) {
  Drawing drawing(plot);
  for (const Json& point : bench.at("figures").at(plot.figure))
    drawing.add(point);
  if (std::string_view(plot.figure) == "flows")
    for (const auto& [bytes, rate] : bench.at("line_100_gbps_megapackets_per_s").items())
      drawing.add_level("100 Gb/s of " + bytes + " bytes", rate);
  return drawing.take();
}

}  // namespace

std::string match_bench_page(const Json& bench) {
  reports::html::Elements elements;
  const Json& unit = bench.at("unit");
  std::string body = fmt::format(
      "<header><h1>nplab bench match-engine</h1>\n<p>Million packets per second, and of updates "
      "million requests: {:.0f} MHz, {} lines, {} with a window of {}, {} packets at each point. "
      "\"Analytic\": look-ups over the clock, or lines over the memory's bandwidth.</p></header>\n"
      "<main>\n<div class=\"figures\">",
      unit.at("clock_mhz").get<double>(), with_separators(unit.at("cache_lines").dump()),
      unit.at("memory").get<std::string>(), unit.at("window").get<unsigned>(),
      with_separators(bench.at("packets").dump()));
  for (const Plot& plot : kPlots)
    if (bench.at("figures").contains(plot.figure))
      body += reports::html::figure_html(figure_of(plot, bench), "", "", elements);
  return reports::html::page("nplab bench match-engine",
                             body + "</div>\n</main>\n" + elements.explanations(),
                             reports::html::Scripts::kCharts);
}

}  // namespace nplab::experiments
