#include "reports/html/stage_figure.h"

#include <fmt/format.h>

#include "reports/analysis/stage_graph.h"
#include "reports/analysis/stage_use.h"

namespace nplab::reports::html {
namespace {

std::string legend() {
  std::string html = "<p class=\"legend\">";
  for (const UseName& use : kUses)
    html += fmt::format("<span class=\"use-{}\">{}</span>", use.id, use.label);
  return html + "</p>";
}

}  // namespace

std::string stage_figure(const RunRecord& record, const std::string& run, const std::string& name,
                         Elements& elements) {
  const std::string drawing = record.stages.empty() ? "" : drawn_svg(stage_graph_dot(record));
  if (drawing.empty())
    return "";
  const Table use = stage_use_table(record);
  std::string html = fmt::format(
      "<figure class=\"graph\" id=\"{}-stages\" style=\"--stages:{}\"><figcaption>{}{}"
      "</figcaption>\n",
      run, record.stages.size(), elements.explained("Stages and queues", {"queue_wait"}),
      use.rows.empty() ? ""
                       : " <small>The stripes of a stage show where the cycles of its engines go. "
                         "A thick frame: the bound.</small>");
  if (!use.rows.empty())
    html += legend();
  html += fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Stages and queues: {}\">{}"
      "</div>\n",
      escaped(name), drawing);
  if (!use.rows.empty())
    html += "<details><summary>The numbers</summary>\n" +
            elements.table(use, use.title + ": " + name) + "</details>\n";
  return html + "</figure>\n";
}

}  // namespace nplab::reports::html
