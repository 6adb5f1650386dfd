#include <fmt/format.h>

#include "reports/analysis/published_comparison.h"
#include "reports/record/run_names.h"
#include "reports/tables/text_layout.h"
#include "reports/text/text_report.h"

namespace nplab::reports {
namespace {

std::string figure_line(const ComparedFigure& figure) {
  std::string line = fmt::format("  {:<22} {:<8} {:>11} {:>11}", figure.label, figure.unit,
                                 published_text(figure), to_string(figure.ours));
  if (figure.difference)
    line += fmt::format(" {:>+11.{}f}", *figure.difference, figure.ours.decimals);
  if (figure.ratio)
    line += fmt::format(" {:>10.3f}{}", *figure.ratio, figure.is_far() ? "  over 15 %" : "");
  return line;
}

}  // namespace

std::string render_published(const std::vector<RunRecord>& records) {
  std::string text = heading("Published IXP1200 measurements of 2003, next to these runs");
  text += wrapped("", kPublishedNote, kRunWidth);
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run) {
    const PublishedRun* published = find_published(mapping_name(records[run]));
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
