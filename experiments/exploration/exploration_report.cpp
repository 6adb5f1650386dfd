// The report of a search as text and as a page.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/exploration/exploration_files.h"
#include "experiments/exploration/scatter_figure.h"
#include "experiments/prepare/record_names.h"
#include "reports/html/elements.h"
#include "reports/html/page_shell.h"
#include "reports/tables/table.h"

namespace nplab::experiments {
namespace {

using reports::Cell;
using reports::Table;
using reports::html::escaped;

Cell figure(double value, const char* unit) {
  return {value, unit, 0};
}

std::vector<Cell> cells_of(const Exploration& found, const MappingFigures& figures) {
  return {figure(figures.packets_per_s, "packets/s"),
          figure(figures.latency_p50_cycles, "cycles"),
          figure(figures.latency_p99_cycles, "cycles"),
          {reports::Count{figures.engines}, "", 0},
          {bound_of(found, figures).resource, "", 0},
          figure(bound_of(found, figures).use_pct, "%"),
          figure(bound_of(found, figures).gain_if_removed_pct, "%")};
}

const std::vector<reports::Column> kColumns{{"packets_per_s", "rate"},
                                            {"latency_p50", "latency p50"},
                                            {"latency_p99", "latency p99"},
                                            {"engines", "engines"},
                                            {"bound", "bound"},
                                            {"bound_use", "useful"},
                                            {"bound_gain", "gain without it"}};

Table front_table(const Exploration& found) {
  Table table{"front",
              "The front: no mapping found is better in one objective and as good in all",
              kColumns,
              {}};
  table.columns.push_back({"predicted", "predicted rate"});
  for (const FoundMapping& one : found.front) {
    auto cells = cells_of(found, one.point.figures);
    cells.push_back(one.point.predicted ? figure(one.point.predicted->packets_per_s, "packets/s")
                                        : Cell{{}, "packets/s", 0});
    table.rows.push_back({one.file, one.file, std::move(cells)});
  }
  return table;
}

Table listed_table(const Exploration& found) {
  Table table{
      "listed", "The listed mappings, without work that stands for unprinted code", kColumns, {}};
  for (const ListedMapping& one : found.listed) {
    if (one.outcome.figures)
      table.rows.push_back({one.name, one.name, cells_of(found, *one.outcome.figures)});
  }
  return table;
}

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0].emplace_back();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string unit = table.rows.empty() ? "" : table.rows[0].cells[i].unit;
    rows[0].push_back(table.columns[i].label + (unit.empty() ? "" : " (" + unit + ")"));
  }
  for (const reports::Row& row : table.rows) {
    rows.push_back({row.label});
    for (const Cell& cell : row.cells)
      rows.back().push_back(to_string(cell));
  }
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = table.title + "\n";
  for (const auto& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// What bounds every mapping, said before the front.
std::vector<std::string> bound_sentences(const Exploration& found) {
  std::vector<std::string> sentences{fmt::format(
      "The ports bring at most {:.0f} packets/s; no mapping has a higher rate.", found.port_rate)};
  if (found.ports_are_reached) {
    sentences.emplace_back(
        "A listed mapping reaches that, so the rate cannot show a better one: engines and latency "
        "are what is left to gain (or give the ports more: --ports-in, "
        "chip.media.port_bits_per_second).");
    return sentences;
  }
  double best = 0;
  for (const ListedMapping& one : found.listed)
    best = std::max(best, one.outcome.figures ? one.outcome.figures->packets_per_s : 0);
  if (best > 0)
    sentences.push_back(fmt::format("The best listed mapping has {:.0f}, {:.0f} % of it.", best,
                                    100 * best / found.port_rate));
  return sentences;
}

std::string effort_text(const ExplorationRequest& request, const Exploration& found) {
  std::string text = fmt::format(
      "{} runs simulated, of them {} short ({} instead of {} packets received) and {} to profile; "
      "{} points predicted; {} failed; seed {}.",
      found.search.runs, found.search.short_runs, found.short_packets, request.options.packets,
      found.search.profiles, found.search.predicted, found.search.failed.size(), request.seed);
  if (found.resumed > 0)
    text += fmt::format(" {} outcomes come from the journal.", found.resumed);
  if (request.seconds > 0)
    text += " The budget is a time, so another search with this seed may end elsewhere.";
  return text;
}

std::string best_text(const Terrain& terrain, const Exploration& found) {
  if (found.front.empty())
    return "No mapping was simulated successfully.\n";
  const FoundMapping& best = found.front.front();
  std::string text = fmt::format("Best by {}: {}\n", to_string(found.objectives), best.file);
  for (const std::string& choice : terrain.space.choices(best.point.point))
    text += "  " + choice + "\n";
  return text;
}

std::string failures_text(const Exploration& found) {
  std::map<std::string, std::size_t> reasons;
  for (const FailedPoint& point : found.search.failed)
    ++reasons[point.reason.substr(0, 160)];
  std::string text;
  for (const auto& [reason, points] : reasons)
    text += fmt::format("  {} x {}\n", points, reason);
  return text.empty() ? "" : "Failed points\n" + text;
}

}  // namespace

std::string count_text(const Space& space, const SpaceCount& count) {
  std::string text =
      fmt::format("space {}, {} points of {} structures\n", space.inputs().description.name,
                  count.points, space.structures().size());
  if (count.checked < count.points) {
    text +=
        fmt::format("legal: about {} ({:.1f} % of {} points drawn at random)\n", count.legal,
                    100.0 * static_cast<double>(count.legal) / static_cast<double>(count.points),
                    count.checked);
  } else {
    text += fmt::format("legal: {}\n", count.legal);
  }
  return text +
         "A point is legal when the resolver links its mapping, takes its tasks and finds room for "
         "its queues.\nIts tables and programs are made only when it is simulated: then it may "
         "still be refused.\nEngines are interchangeable, so mappings that differ in their numbers "
         "alone are one point.\n";
}

std::string exploration_text(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found) {
  std::string text =
      fmt::format("nplab explore {} on {}, rules {}\n\n", request.algorithm,
                  terrain.inputs.chip.name, record_name(terrain.inputs.workload.rules.name()));
  for (const std::string& sentence : bound_sentences(found))
    text += sentence + "\n";
  text += fmt::format("The space has {} points, {}{} of them legal.\n", found.count.points,
                      found.count.checked < found.count.points ? "about " : "", found.count.legal);
  text += effort_text(request, found) + "\n\n";
  if (const Table listed = listed_table(found); !listed.rows.empty())
    text += table_text(listed) + "\n";
  for (const ListedMapping& one : found.listed) {
    if (!one.outcome.figures)
      text +=
          fmt::format("The listed mapping {} does not run so: {}\n", one.name, one.outcome.failure);
  }
  text += table_text(front_table(found)) + "\n" + best_text(terrain, found);
  const std::string failures = failures_text(found);
  return failures.empty() ? text : text + "\n" + failures;
}

std::string exploration_page(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found) {
  reports::html::Elements elements;
  const std::string title =
      fmt::format("nplab explore {} on {}", request.algorithm, terrain.inputs.chip.name);
  std::string body = "<header><h1>" + escaped(title) + "</h1>\n";
  for (const std::string& sentence : bound_sentences(found))
    body += "<p>" + escaped(sentence) + "</p>\n";
  body += "<p>" + escaped(effort_text(request, found)) + "</p></header>\n<main>\n";
  body += "<section><h2>The best</h2><pre>" + escaped(best_text(terrain, found)) + "</pre>\n";
  body += "<div class=\"tables\">" + elements.table(front_table(found), front_table(found).title);
  if (const Table listed = listed_table(found); !listed.rows.empty())
    body += elements.table(listed, listed.title);
  body += "</div></section>\n";
  if (found.search.predicted > 0) {
    body += "<section><h2>Predicted and simulated</h2>\n" + scatter_figure(found, elements) +
            "</section>\n";
  }
  return reports::html::page(title, body + "</main>\n" + elements.explanations(),
                             reports::html::Scripts::kTables);
}

}  // namespace nplab::experiments
