#include "reports/html/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "reports/analysis/causes.h"
#include "reports/analysis/derive.h"
#include "reports/html/script_data.h"
#include "reports/html/source_costs.h"
#include "reports/record/lean_record.h"
#include "reports/record/run_record_fields.h"

namespace nplab::reports::html {
namespace {

constexpr std::size_t kHottest = 25;  // lines in the list

enum class Content { kFigures, kText };

struct SourceColumn {
  const char* label;
  const char* term;
  Content content = Content::kFigures;
};
constexpr SourceColumn kSourceText = {"source", "source_line", Content::kText};
// After a line's text.
constexpr SourceColumn kLineColumns[] = {
    {"executing", "executing"},
    {"aborted", "aborted"},
    {"stalled", "stalled"},
    {"share", "share"},
    {"waiting", "waiting"},
    {"poll", "poll", Content::kText},
    {"words", "line_words"},
    {"stalled on", "stalled_on", Content::kText},
    {"waits for", "waiting_on", Content::kText},
    {"references", "references", Content::kText},
    {"longwords", "longwords", Content::kText},
};
constexpr SourceColumn kWordColumns[] = {
    {"engine", "engine"},
    {"word", "word"},
    {"instruction", "instruction", Content::kText},
    {"executing", "executing"},
    {"aborted", "aborted"},
    {"stalled", "stalled"},
    {"waiting", "waiting"},
    {"references", "references"},
    {"longwords", "longwords"},
    {"next", "next", Content::kText},
};

// Without its folders; of code that has no line, the file alone.
std::string short_place(const std::string& file, Count line) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return line == 0 ? name : fmt::format("{}:{}", name, line);
}

class SourcePage {
 public:
  SourcePage(const RunRecord& record, std::string run, Elements& elements)
      : record_(record), run_(std::move(run)), elements_(elements), costs_(record) {}

  std::string html() {
    std::string html = engine_choice() + hottest();
    for (const auto& [name, lines] : costs_.files())
      html += file(name, lines);
    return html + for_scripts();
  }

 private:
  [[nodiscard]] std::string anchor(const std::string& file, Count line) const {
    return fmt::format("{}-f{}-{}", run_, costs_.number_of(file), line);
  }

  // The cells of a row after its head.
  [[nodiscard]] std::string cells(const LineCost& cost, const std::string& text) const {
    const Line& line = cost.sum;
    const double share = percentage(busy_cycles(line), costs_.engine_cycles());
    std::string html = text_cell(text);
    for (const Count cycles : {line.executing, line.aborted, line.stalled})
      html += figure_cell(cycles);
    html += fmt::format("<td class=\"n share\" style=\"--share:{0:.2f}\">{0:.2f}</td>", share) +
            figure_cell(line.waiting) +
            (line.poll ? fmt::format("<td>{}</td>", use_letter(line)) : "<td></td>") +
            "<td class=\"n\">" + words_button(cost.words) + "</td>";
    for (const CountByName& counts :
         {line.stalled_on, line.waiting_on, line.references, line.longwords})
      html += "<td class=\"causes\">" + escaped(with_separators(counts_text(counts))) + "</td>";
    return html;
  }

  [[nodiscard]] static std::string text_cell(const std::string& text) {
    return "<td><code>" + escaped(text) + "</code></td>";
  }

  [[nodiscard]] static std::string figure_cell(Count figure) {
    return "<td class=\"n\">" + with_separators(fmt::format("{}", figure)) + "</td>";
  }

  [[nodiscard]] static std::string words_button(Count words) {
    if (words == 0)
      return "";
    return fmt::format(
        "<button type=\"button\" class=\"words\" aria-expanded=\"false\" aria-label=\"show {0} "
        "instructions\">{0}</button>",
        words);
  }

  std::string heads(const std::string& caption, const char* kind) {
    std::string html = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
        "<table class=\"source {1}\"><caption>{0}</caption>\n<thead><tr><td></td>",
        escaped(caption), kind);
    html += head(kSourceText);
    for (const SourceColumn& column : kLineColumns)
      html += head(column);
    return html + "</tr></thead>\n<tbody>\n";
  }

  std::string head(const SourceColumn& column) {
    return fmt::format("<th scope=\"col\"{}>{}</th>",
                       column.content == Content::kFigures ? " class=\"n\"" : "",
                       elements_.explained(column.label, {column.term}));
  }

  [[nodiscard]] std::string engine_choice() const {
    std::string html = fmt::format(
        "<p class=\"controls\"><label>Engine <select class=\"engine-choice\" "
        "data-cycles=\"{}\"><option value=\"\">all</option>",
        record_.cycles.core);
    for (const Engine& engine : record_.engines) {
      if (engine.words == 0)
        continue;
      html +=
          fmt::format("<option value=\"{0}\">{0}: {1}</option>", engine.id, escaped(engine.role));
    }
    return html + "</select></label></p>\n";
  }

  std::string hottest() {
    std::vector<std::tuple<Count, Count, std::string, Count>> order;
    for (const auto& [name, lines] : costs_.files())
      for (const auto& [number, cost] : lines)
        order.emplace_back(busy_cycles(cost.sum), cost.sum.waiting, name, number);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
    });
    order.resize(std::min(order.size(), kHottest));
    std::string html = heads("Most expensive source lines", "hottest");
    for (const auto& [cycles, waiting, name, number] : order) {
      html += fmt::format(
          "<tr data-p=\"{}:{}\"><th scope=\"row\"><a href=\"#{}\">{}</a></th>{}</tr>\n",
          escaped(name), number, anchor(name, number), escaped(short_place(name, number)),
          cells(costs_.files().at(name).at(number), costs_.statement(name, number)));
    }
    return html + "</tbody></table></div>\n";
  }

  std::string file(const std::string& name, const FileCosts& lines) {
    Count busy = 0;
    for (const auto& [number, cost] : lines)
      busy += busy_cycles(cost.sum);
    std::string html = fmt::format(
        "<details><summary><code>{}</code>: {:.1f} % of the engines' cycles</summary>\n",
        escaped(name), percentage(busy, costs_.engine_cycles()));
    html += heads(name, "file");
    const Count last = costs_.last_line(name);
    for (Count number = lines.begin()->first == 0 ? 0 : 1; number <= last; ++number)
      html += row(name, number, lines);
    return html + "</tbody></table></div></details>\n";
  }

  [[nodiscard]] std::string row(const std::string& name, Count number,
                                const FileCosts& lines) const {
    const auto cost = lines.find(number);
    const std::string text = costs_.text(name, number);
    if (cost == lines.end())
      return fmt::format("<tr><th scope=\"row\">{}</th>{}<td colspan=\"{}\"></td></tr>\n", number,
                         text_cell(text), std::size(kLineColumns));
    return fmt::format(
        "<tr id=\"{}\" data-p=\"{}:{}\"><th scope=\"row\"><button type=\"button\" class=\"line\">{}"
        "</button></th>{}</tr>\n",
        anchor(name, number), escaped(name), number, number, cells(cost->second, text));
  }

  // What the figures of one engine and the instructions behind a line are made of.
  std::string for_scripts() {
    std::string html = "<template class=\"word-heads\"><tr>";
    for (const SourceColumn& column : kWordColumns)
      html += head(column);
    html += "</tr></template>\n" + script_data("lines", JsonWriter::to_value(record_.lines));
    return html + script_data("programs", JsonWriter::to_value(record_.programs));
  }

  const RunRecord& record_;
  std::string run_;
  Elements& elements_;
  SourceCosts costs_;
};

}  // namespace

std::string annotated_source(const RunRecord& record, const std::string& run, Elements& elements) {
  if (is_lean(record))
    return fmt::format("<p>{}</p>\n", escaped("No source lines: " + why_left_out("lines")));
  return record.lines.empty() ? "" : SourcePage(record, run, elements).html();
}

}  // namespace nplab::reports::html
