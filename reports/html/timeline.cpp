#include "reports/html/timeline.h"

#include <fmt/format.h>

#include "reports/html/elements.h"
#include "reports/html/script_data.h"
#include "reports/record/run_record_fields.h"

namespace nplab::reports::html {
namespace {

std::string help(const RunRecord& record) {
  std::string text =
      "Rows: what has the engine, then its threads (engine.thread); memory buses; queues. ";
  if (record.activity) {
    text += fmt::format(
        "From far, intervals of {} cycles or more, stacked by what their cycles went to; where the "
        "blue mark is above the rows, each slice. ",
        record.activity->interval_cycles);
  }
  return text +
         "Click for the source line; click the number of a source line, below, for its slices. "
         "Keys: + - 0 and "
         "the left and right arrows zoom and move, up and down choose a row, comma and full stop a "
         "slice, Enter "
         "goes to its line.";
}

}  // namespace

std::string timeline_figure(const RunRecord& record, const std::string& run) {
  if (!record.timeline && !record.activity)
    return "";
  Json roles = Json::object();
  for (const Engine& engine : record.engines)
    roles[fmt::format("{}", engine.id)] = engine.role;
  std::string html = fmt::format(
      "<figure class=\"timeline\" id=\"{0}-timeline\" data-run=\"{0}\" data-cycles=\"{1}\">"
      "<figcaption>What everything did, cycle by cycle<small class=\"help\">{2}</small>"
      "</figcaption>\n"
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
