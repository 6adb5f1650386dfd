#include "reports/html/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "reports/html/elements.h"
#include "reports/html/script_data.h"
#include "reports/record/run_record_fields.h"

namespace nplab::reports::html {
namespace {

// A power of two, so that the ends of intervals stay where others have theirs.
std::uint64_t factor_for(std::size_t intervals, std::size_t most) {
  return std::bit_ceil(std::max<std::size_t>(1, (intervals + most - 1) / most));
}

// Of as many intervals as can be told apart, at most; without the engines' uses, which are few.
Activity shown_activity(const Activity& activity) {
  constexpr std::size_t kMostIntervals = 300;
  constexpr std::size_t kMostOfLines = 50;
  std::size_t intervals = 0, of_lines = 0;
  for (const MemoryActivity& memory : activity.memory)
    intervals = std::max(intervals, memory.active_cycles.values.size());
  for (const LineActivity& line : activity.lines)
    of_lines = std::max(of_lines, line.executing.values.size());
  Activity shown =
      coarser(activity, factor_for(intervals, kMostIntervals), factor_for(of_lines, kMostOfLines));
  shown.engines.clear();
  return shown;
}

Json uses(const Activity& activity) {
  return {{"interval_cycles", activity.line_interval_cycles},
          {"engines", JsonWriter::to_value(activity)["engines"]}};
}

std::string help(const RunRecord& record) {
  std::string text =
      "Rows: the running thread of each engine, its threads (engine.thread), memory buses, "
      "queues of the chip and of the mapping. ";
  if (record.activity) {
    text += fmt::format(
        "Zoomed out, they are a heat map of intervals of {} cycles or more: the deeper the colour, "
        "the more of an engine's cycles were useful, a thread executed, a bus was busy or a queue "
        "was filled. Under the blue marks above the rows, zoomed in, they show each slice. ",
        shown_activity(*record.activity).interval_cycles);
  }
  return text +
         "Click a slice to see its source line; click the number of a source line below to see its "
         "slices. Keys: + - 0 and the left and right arrows zoom and move, the up and down arrows "
         "choose a row, comma and full stop choose a slice, Enter goes to its source line.";
}

}  // namespace

std::string timeline_figure(const RunRecord& record, const std::string& run,
                            const std::string& name) {
  if (!record.timeline && !record.activity)
    return "";
  Json roles = Json::object();
  for (const Engine& engine : record.engines)
    roles[fmt::format("{}", engine.id)] = engine.role;
  std::string html = fmt::format(
      "<figure class=\"timeline\" id=\"{0}-timeline\" data-run=\"{0}\" "
      "data-name=\"{3}\" data-cycles=\"{1}\"><figcaption>Timeline, cycle by cycle<small "
      "class=\"help\">{2}</small></figcaption>\n"
      "<div class=\"legends\"></div><div class=\"plot\"></div><p><output></output></p>\n",
      run, record.cycles.core, help(record), escaped(name));
  html += script_data("roles", roles);
  if (record.activity) {
    html += script_data("activity", JsonWriter::to_value(shown_activity(*record.activity)));
    if (!record.activity->engines.empty())
      html += script_data("uses", uses(*record.activity));
  }
  if (record.timeline)
    html += script_data("exact", JsonWriter::to_value(*record.timeline));
  return html + "</figure>\n";
}

}  // namespace nplab::reports::html
