#include "reports/html/timeline.h"

#include <fmt/format.h>

#include "reports/html/elements.h"
#include "reports/json_archive.h"
#include "reports/run_record_fields.h"

namespace nplab::reports::html {

std::string timeline_figure(const Timeline& timeline, const std::string& run) {
  std::string threads;
  for (const TimelineThread& thread : timeline.threads) threads += fmt::format("{}{}.{}", threads.empty() ? "" : " ", thread.engine, thread.thread);
  std::string data = JsonWriter::to_value(timeline).dump();
  for (auto at = data.find("</"); at != std::string::npos; at = data.find("</", at + 1)) data.insert(at + 1, "\\");
  return fmt::format("<figure class=\"timeline\" id=\"{0}-timeline\" data-run=\"{0}\" data-threads=\"{1}\"><figcaption>What each thread did, cycles {2} to {3}"
                     "<small>A row a thread (engine.thread). Click a slice for its source line; click the number of a source line, below, for its "
                     "slices.</small></figcaption>\n<p class=\"legend\"></p><div class=\"plot\"></div><p><output></output></p>\n"
                     "<script type=\"application/json\">", run, escaped(threads), timeline.from, timeline.to - 1) +
         data + "</script></figure>\n";
}

}  // namespace nplab::reports::html
