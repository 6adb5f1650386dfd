#include "reports/html/html_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "reports/analysis/comparable_tables.h"
#include "reports/analysis/invariants.h"
#include "reports/analysis/record_tables.h"
#include "reports/analysis/run_difference.h"
#include "reports/analysis/verdict.h"
#include "reports/html/annotated_source.h"
#include "reports/html/elements.h"
#include "reports/html/figures.h"
#include "reports/html/page_shell.h"
#include "reports/html/published_section.h"
#include "reports/html/stage_figure.h"
#include "reports/html/timeline.h"
#include "reports/record/run_names.h"
#include "reports/tables/table.h"

namespace nplab::reports {
namespace {

using html::escaped;
using html::Figure;

bool is_list(const Table& table) {
  return table.columns.size() == 1 && table.columns.front().id == "value";
}

// As the numbers of a chart, or beside its source.
bool is_shown_elsewhere(const Table& table) {
  static const std::set<std::string> kElsewhere{"lines",      "work",       "threads",
                                                "aborted_by", "stalled_on", "waiting_on"};
  return kElsewhere.contains(table.id);
}

// Lists, with a column a run instead. A row that earlier runs do not have stands after the one
// that is above it in its own run.
Table side_by_side(const std::vector<std::vector<Table>>& runs,
                   const std::vector<std::string>& names, std::size_t index) {
  Table merged{runs[0][index].id, runs[0][index].title, {}, {}};
  for (const std::string& name : names)
    merged.columns.push_back({name, name});
  for (std::size_t run = 0; run < runs.size(); ++run) {
    auto next = merged.rows.begin();
    for (const Row& row : runs[run][index].rows) {
      auto known = std::find_if(merged.rows.begin(), merged.rows.end(),
                                [&](const Row& other) { return other.id == row.id; });
      if (known == merged.rows.end()) {
        const Cell absent{{}, row.cells[0].unit, row.cells[0].decimals};
        known =
            merged.rows.insert(next, {row.id, row.label, std::vector<Cell>(runs.size(), absent)});
      }
      known->cells[run] = row.cells[0];
      next = known + 1;
    }
  }
  return merged;
}

class Page {
 public:
  explicit Page(const std::vector<RunRecord>& records)
      : records_(records), names_(run_names(records)) {}

  std::string html() {
    const std::string title = fmt::format("nplab: {}", fmt::join(names_, ", "));
    const std::string body = head() + results() + runs();
    return html::page(title, body + elements_.explanations(), html::Scripts::kCharts);
  }

 private:
  std::string head() {
    std::string html =
        fmt::format("<header><h1>{}</h1>\n", escaped(fmt::format("{}", fmt::join(names_, ", "))));
    for (std::size_t run = 0; run < records_.size(); ++run)
      html += verdict(run);
    html += "<nav aria-label=\"Sections\"><a href=\"#results\">Results</a>";
    for (std::size_t run = 0; run < names_.size(); ++run)
      html += fmt::format(" <a href=\"#run{}\">{}</a>", run, escaped(names_[run]));
    return html + "</nav></header>\n<main>\n";
  }

  std::string verdict(std::size_t run) const {
    const RunRecord& record = records_[run];
    const auto broken = check_invariants(record);
    const bool sound = broken.empty() && !record.failure;
    std::string html =
        fmt::format("<p class=\"verdict {}\"><strong>{}</strong>: ", sound ? "sound" : "broken",
                    escaped(names_[run]));
    if (sound && record.packets.classified == 0) {
      html += "nothing was classified, so no verdict was checked; every other check held.";
    } else if (sound) {
      html += html::with_separators(
          fmt::format("{} packets classified, {} misclassified; every check held.",
                      record.packets.classified, record.packets.misclassified));
    }
    if (record.failure)
      html += escaped(record.failure->kind + ": " + record.failure->message);
    html += "</p>\n";
    const auto items = [&](const std::vector<std::string>& sentences) {
      if (sentences.empty())
        return;
      html += list("checks", sentences);
    };
    items(broken);
    if (record.failure)
      items(record.failure->details);
    return html;
  }

  // `of`: the run that it is of, or nothing for one of all runs.
  std::string figure(const Figure& figure, const std::string& prefix, const std::string& of) {
    return html::figure_html(figure, prefix, of, elements_);
  }

  // Which run is best and why, and what a mapping is chosen by.
  std::string judgement() {
    const auto verdict = verdict_of(records_);
    if (!verdict)
      return "";
    std::string html = list("judgement", verdict->sentences);
    if (records_.size() == 1)
      return html;
    return html + elements_.table(verdict_table(records_), "Verdict");
  }

  // What `diff` says of each other run and the best one.
  std::string differences() {
    const auto verdict = records_.size() == 1 ? std::nullopt : verdict_of(records_);
    const std::string best = verdict ? verdict->best : "";
    const auto found = std::find(names_.begin(), names_.end(), best);
    if (found == names_.end())
      return "";
    const auto winner = static_cast<std::size_t>(found - names_.begin());
    std::string html;
    for (std::size_t run = 0; run < records_.size(); ++run) {
      if (run == winner)
        continue;
      html += fmt::format("<h3>From {} to {}</h3>\n", escaped(names_[run]), escaped(best)) +
              list("difference", difference_sentences(records_[run], records_[winner]));
    }
    return html;
  }

  static std::string list(const char* kind, const std::vector<std::string>& sentences) {
    std::string html = fmt::format("<ul class=\"{}\">", kind);
    for (const std::string& sentence : sentences)
      html += "<li>" + escaped(sentence) + "</li>";
    return html + "</ul>\n";
  }

  std::string results() {
    std::string html =
        "<section id=\"results\"><h2>Results</h2>\n" + judgement() + "<div class=\"figures\">\n";
    for (std::size_t run = 0; run < records_.size(); ++run) {
      const Figure resources = html::resources_figure(records_[run], names_[run]);
      if (!resources.table.rows.empty())
        html += figure(resources, fmt::format("run{}-", run), names_[run]);
    }
    html += "</div>\n" + differences() + "<div class=\"figures\">\n";
    for (const Figure& one : html::comparison_figures(records_))
      html += figure(one, "all-", "");
    html += "</div>\n";
    std::vector<std::vector<Table>> tables;
    for (const RunRecord& record : records_)
      tables.push_back(records_.size() == 1 ? tables_of(record) : comparable_tables_of(record));
    html += all_begin() + "<div class=\"tables\">\n";
    for (std::size_t i = 0; i < tables[0].size(); ++i) {
      if (!is_list(tables[0][i]))
        continue;
      const Table merged = side_by_side(tables, names_, i);
      if (!merged.rows.empty())
        html += elements_.table(merged, tables[0][i].title);
    }
    return html + "</div>" + (records_.size() == 1 ? "" : "</details>") + "</section>\n";
  }

  // Of several runs, the verdict's table has the figures that count.
  [[nodiscard]] std::string all_begin() const {
    return records_.size() == 1 ? ""
                                : "<details class=\"all\"><summary>Every figure of the runs, side "
                                  "by side</summary>\n";
  }

  std::string runs() {
    std::string html;
    for (std::size_t run = 0; run < records_.size(); ++run)
      html += section(run);
    return html + "</main>\n";
  }

  std::string section(std::size_t run) {
    const RunRecord& record = records_[run];
    const std::string id = fmt::format("run{}", run);
    std::string html = fmt::format("<section id=\"{}\"><h2>{}</h2>\n<ul class=\"workload\">", id,
                                   escaped(names_[run]));
    for (const std::string& sentence : record.workload)
      html += "<li>" + escaped(sentence) + "</li>";
    if (record.inputs.updates)
      html += fmt::format("<li>updates {}</li>", escaped(record.inputs.updates->name));
    html += fmt::format("<li>mapping {}, chip {}, rules {}, traffic {}; nplab {} ({})</li></ul>\n",
                        escaped(record.inputs.mapping.name), escaped(record.inputs.chip.name),
                        escaped(record.inputs.rules.name), escaped(record.inputs.traffic.name),
                        escaped(record.tool.version), escaped(record.tool.commit));
    html += html::stage_figure(record, id, names_[run], elements_);
    html += html::published_section(record, names_[run], elements_);
    html += html::timeline_figure(record, id, names_[run]);
    html += "<div class=\"figures\">\n";
    for (const Figure& one : html::run_figures(record))
      html += figure(one, id + "-", names_[run]);
    html += "</div>\n<div class=\"tables\">\n";
    for (const Table& table : all_tables_of(record)) {
      if (is_list(table) || table.rows.empty() || is_shown_elsewhere(table))
        continue;
      html += elements_.table(table, table.title + ": " + names_[run]);
    }
    html += memory_map(record, names_[run]) + "</div>\n";
    const std::string source = html::annotated_source(record, id, elements_);
    if (source.empty())
      return html + "</section>\n";
    html += fmt::format(
        "<section class=\"sources\" id=\"{}-source\"><h3>Cost of each source line: {}</h3>\n", id,
        escaped(names_[run]));
    return html + source + "</section>\n</section>\n";
  }

  std::string memory_map(const RunRecord& record, const std::string& name) {
    if (record.memory_map.empty())
      return "";
    Table table{"memory_map",
                "Memory map",
                {{"memory", "memory"}, {"base", "base"}, {"bytes", "bytes"}},
                {}};
    for (std::size_t i = 0; i < record.memory_map.size(); ++i) {
      const MemoryRangeRecord& range = record.memory_map[i];
      table.rows.push_back(
          {fmt::format("range{}", i),
           range.purpose,
           {Cell{range.memory, "", 0}, Cell{fmt::format("{:#x}", range.base), "", 0},
            Cell{range.bytes, "bytes", 0}}});
    }
    return elements_.table(table, "Memory map: " + name);
  }

  const std::vector<RunRecord>& records_;
  std::vector<std::string> names_;
  html::Elements elements_;
};

}  // namespace

std::string render_html(const std::vector<RunRecord>& records) {
  return Page(records).html();
}

}  // namespace nplab::reports
