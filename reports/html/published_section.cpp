#include "reports/html/published_section.h"

#include <fmt/format.h>

#include "reports/analysis/published_comparison.h"
#include "reports/record/run_names.h"

namespace nplab::reports::html {
namespace {

std::string real_cell(const std::optional<double>& value, int decimals, const char* format) {
  if (!value)
    return "<td class=\"n\" data-v=\"\">-</td>";
  const std::string text = fmt::format(fmt::runtime(format), *value, decimals);
  return fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>", *value, with_separators(text));
}

// The glossary knows rows of the overall table by their ids, and engines' figures by their columns.
std::string explained_label(const ComparedFigure& figure, Elements& elements) {
  return elements.explained(figure.label, {figure.id, figure.id.substr(figure.id.find('.') + 1)});
}

std::string figure_row(const ComparedFigure& figure, Elements& elements) {
  const std::string published = figure.published ? fmt::format("{}", figure.published->value) : "";
  return fmt::format(
             "<tr data-r=\"{}\"{}><th scope=\"row\">{}</th><td class=\"n\" data-v=\"{}\">{}</td>"
             "<td class=\"n\" data-v=\"{}\">{}</td>",
             escaped(figure.id), figure.is_far() ? " class=\"far\"" : "",
             explained_label(figure, elements), published, with_separators(published_text(figure)),
             exact_value(figure.ours), with_separators(to_string(figure.ours))) +
         real_cell(figure.difference, figure.ours.decimals, "{:+.{}f}") +
         real_cell(figure.ratio, 3, "{:.{}f}") +
         fmt::format("<td>{}</td><td>{}</td></tr>\n", escaped(figure.unit),
                     figure.is_far() ? "over 15 %" : "");
}

}  // namespace

std::string published_section(const RunRecord& record, const std::string& name,
                              Elements& elements) {
  const PublishedRun* published = find_published(mapping_name(record));
  if (published == nullptr)
    return "";
  const auto tables = compare_with_published(record, published);
  const bool as_long =
      static_cast<double>(record.packets.received) == published->overall.at("packets_received");
  std::string html = fmt::format(
      "<details class=\"published\"{}><summary>Next to the published measurements of 2003: {} as "
      "{}. {}</summary>\n"
      "<p>{}</p>\n",
      as_long ? " open" : "", escaped(name), escaped(published->mapping), far_figures(tables),
      kPublishedNote);
  if (!as_long)
    html +=
        "<p>The published run had a different length. Counts cannot be compared; rates and shares "
        "can.</p>\n";
  html += "<div class=\"tables\">\n";
  for (const ComparedTable& table : tables) {
    const std::string caption = escaped(table.title + ", published and ours: " + name);
    html += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
        "<table data-table=\"published\"><caption>{0}</caption>\n<thead><tr><td></td>",
        caption);
    for (const char* column : {"published", "ours", "difference", "ratio"})
      html += fmt::format("<th scope=\"col\" class=\"n\" data-c=\"{}\">{}</th>", column,
                          elements.explained(column, {column}));
    for (const char* column : {"unit", "mark"})
      html += fmt::format("<th scope=\"col\" class=\"{0}\" data-c=\"{0}\">{1}</th>", column,
                          elements.explained(column, {column}));
    html += "</tr></thead>\n<tbody>\n";
    for (const ComparedFigure& figure : table.figures)
      html += figure_row(figure, elements);
    html += "</tbody></table></div>\n";
  }
  return html + "</div></details>\n";
}

}  // namespace nplab::reports::html
