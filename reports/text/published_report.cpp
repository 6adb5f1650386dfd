#include <fmt/format.h>

#include "reports/analysis/published_comparison.h"
#include "reports/record/run_names.h"
#include "reports/tables/text_layout.h"
#include "reports/text/text_report.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kShortCommit = 12;

std::string figure_line(const ComparedFigure& figure) {
  std::string line = fmt::format("  {:<22} {:<8} {:>11} {:>11}", figure.label, figure.unit,
                                 published_text(figure), to_string(figure.ours));
  if (figure.difference)
    line += fmt::format(" {:>+11.{}f}", *figure.difference, figure.ours.decimals);
  if (figure.ratio)
    line += fmt::format(" {:>10.3f}{}", *figure.ratio, figure.is_far() ? "  over 15 %" : "");
  return line;
}

std::string range_cell(double value, const ComparedFigure& figure) {
  return fmt::format("{:.{}f}", value, figure.ours.decimals);
}

std::string predicted_line(const ComparedFigure& figure, const PredictionRange& range) {
  const std::string ours = to_string(figure.ours);
  return fmt::format("  {:<22} {:<8} {:>11} {:>11} {:>11} {:>11}{}", figure.label, figure.unit,
                     range_cell(range.p5, figure), range_cell(range.p50, figure),
                     range_cell(range.p95, figure), ours,
                     range.is_predicted ? "" : "  not predicted");
}

// A run beside the ranges of a calibration.
std::string predicted_text(const RunRecord& record, const std::string& mapping,
                           const PredictionRanges& ranges) {
  std::string text = fmt::format("  {:<22} {:<8} {:>11} {:>11} {:>11} {:>11}\n", "", "", "p5",
                                 "p50", "p95", "ours");
  std::vector<std::string> lines;
  for (const ComparedTable& table : compare_with_published(record, nullptr)) {
    lines.push_back(table.title);
    for (const ComparedFigure& figure : table.figures) {
      const PredictionRange* range = ranges.find(mapping, figure.id);
      lines.push_back(range == nullptr ? figure_line(figure) : predicted_line(figure, *range));
    }
  }
  text += join_lines(lines);
  const std::string origin = fmt::format(
      "Ranges over the {} settings that nplab study calibration kept (seed {}, {} runs, "
      "commit {}).",
      ranges.kept, ranges.seed, ranges.runs, ranges.commit.substr(0, kShortCommit));
  const bool is_other =
      record.tool.commit != ranges.commit || record.tool.version != ranges.version;
  return text +
         wrapped("", origin + (is_other ? " This run is of another version of the program." : ""),
                 kRunWidth);
}

bool has_ranges(const PredictionRanges* ranges, const std::string& mapping) {
  return ranges != nullptr && ranges->by_mapping.contains(mapping);
}

}  // namespace

std::string render_published(const std::vector<RunRecord>& records,
                             const PredictionRanges* ranges) {
  std::string text = heading("Published IXP1200 measurements of 2003, next to these runs");
  text += wrapped("", kPublishedNote, kRunWidth);
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run) {
    const std::string mapping = mapping_name(records[run]);
    const PublishedRun* published = find_published(mapping);
    if (published == nullptr && has_ranges(ranges, mapping)) {
      text += fmt::format(
          "\n{}: no published figures here; the ranges that the calibration gives\n", names[run]);
      text += predicted_text(records[run], mapping, *ranges);
      continue;
    }
    text += fmt::format("\n{}: {}\n", names[run],
                        published ? "published as " + published->mapping
                                  : std::string("has no published figures; only ours are printed"));
    text += fmt::format("  {:<22} {:<8} {:>11} {:>11} {:>11} {:>10}\n", "", "", "published", "ours",
                        "difference", "ratio");
    const auto tables = compare_with_published(records[run], published);
    std::vector<std::string> lines;
    for (const ComparedTable& table : tables) {
      lines.push_back(table.title);
      for (const ComparedFigure& figure : table.figures)
        lines.push_back(figure_line(figure));
    }
    text += join_lines(lines);
    if (published != nullptr)
      text += far_figures(tables) + "\n";
  }
  return text;
}

}  // namespace nplab::reports
