#include "reports/html/timeline.h"

#include <fmt/format.h>

#include "reports/html/elements.h"
#include "reports/html/script_data.h"
#include "reports/record/run_record_fields.h"

namespace nplab::reports::html {
namespace {

std::string help(const RunRecord& record) {
  std::string text =
      "Rows: the running thread of each engine, its threads (engine.thread), memory buses, "
      "queues. ";
  if (record.activity) {
    text += fmt::format(
        "Zoomed out, the rows show intervals of {} cycles or more, stacked by state. Under the "
        "blue mark above the rows, they show each slice. ",
        record.activity->interval_cycles);
  }
  return text +
         "Click a slice to see its source line; click the number of a source line below to see its "
         "slices. Keys: + - 0 and the left and right arrows zoom and move, the up and down arrows "
         "choose a row, comma and full stop choose a slice, Enter goes to its source line.";
}

}  // namespace

std::string timeline_figure(const RunRecord& record, const std::string& run) {
  if (!record.timeline && !record.activity)
    return "";
  Json roles = Json::object();
  for (const Engine& engine : record.engines)
    roles[fmt::format("{}", engine.id)] = engine.role;
  std::string html = fmt::format(
      "<figure class=\"timeline\" id=\"{0}-timeline\" data-run=\"{0}\" "
      "data-cycles=\"{1}\"><figcaption>Timeline, cycle by cycle<small "
      "class=\"help\">{2}</small></figcaption>\n"
      "<p class=\"legend\"></p><div class=\"plot\"></div><p><output></output></p>\n",
      run, record.cycles.core, help(record));
  html += script_data("roles", roles);
  if (record.activity)
    html += script_data("activity", JsonWriter::to_value(*record.activity));
  if (record.timeline)
    html += script_data("exact", JsonWriter::to_value(*record.timeline));
  return html + "</figure>\n";
}

}  // namespace nplab::reports::html
