#include "reports/text/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/record_tables.h"
#include "reports/analysis/verdict.h"
#include "reports/record/run_names.h"
#include "reports/tables/table.h"
#include "reports/tables/text_layout.h"
#include "reports/text/compared_figures.h"
#include "reports/text/matrix.h"
#include "reports/text/run_texts.h"

namespace nplab::reports {

std::string render_run(const RunRecord& record) {
  const std::string name = mapping_name(record);
  std::string text = heading("Run " + name);
  if (const auto verdict = verdict_of(record))
    text += sentences_text(verdict->sentences, kRunWidth) + "\n";
  text += inputs_text(record, kRunWidth);
  for (const Table& table : tables_of(record)) {
    if (table.rows.empty())
      continue;
    text += "\n" + table.title + "\n";
    text += table.columns.size() == 1 ? render_list(table) : render_matrix(table);
  }
  return text + "\n" + verification(record, name, kRunWidth);
}

std::string render_all_figures(const std::vector<RunRecord>& records) {
  if (records.empty())
    return "";
  std::string text;
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run)
    text += heading("Run " + names[run]) + inputs_text(records[run], kCompareWidth) + "\n";
  text += compared_figures(records);
  for (std::size_t run = 0; run < records.size(); ++run)
    text += verification(records[run], names[run], kCompareWidth);
  return text;
}

std::string render_runs(const std::vector<RunRecord>& records, Figures figures) {
  if (records.size() == 1)
    return render_run(records.front());
  return figures == Figures::kAll ? render_verdict(records) + render_all_figures(records)
                                  : render_compare(records);
}

}  // namespace nplab::reports
