#include "reports/html/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/glossary/glossary.h"

namespace nplab::reports::html {
namespace {

constexpr std::size_t kManyColumns = 8;  // more are set in smaller letters

bool holds_text(const Cell& cell) {
  return std::holds_alternative<std::string>(cell.value);
}

std::string cell_html(const Cell& cell) {
  if (holds_text(cell))
    return "<td>" + escaped(to_string(cell)) + "</td>";
  return fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>", exact_value(cell),
                     with_separators(to_string(cell)));
}

// The unit of a column whose cells have one and the same.
std::string common_unit(const Table& table, std::size_t column) {
  std::string unit;
  for (const Row& row : table.rows) {
    if (!unit.empty() && row.cells[column].unit != unit)
      return "";
    unit = row.cells[column].unit;
  }
  return unit;
}

bool has_several_units(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return row.cells[column].unit != table.rows[0].cells[column].unit;
  });
}

bool holds_figures(const Table& table, std::size_t column) {
  return !table.rows.empty() && !holds_text(table.rows[0].cells[column]);
}

// What a row of a list has as its unit; shown after the figures where rows differ.
std::string row_unit(const Row& row) {
  return row.cells.empty() ? "" : row.cells.front().unit;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string exact_value(const Cell& cell) {
  if (const auto* whole = std::get_if<Count>(&cell.value))
    return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&cell.value))
    return fmt::format("{}", *real);
  return "";
}

std::string with_separators(std::string_view text) {
  std::string result;
  bool is_fraction = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      is_fraction = text[i] == '.';
      result += text[i];
      continue;
    }
    const std::size_t left = std::min(text.find_first_not_of("0123456789", i), text.size()) - i;
    const bool is_first = i == 0 || std::isdigit(static_cast<unsigned char>(text[i - 1])) == 0;
    if (!is_fraction && !is_first && left % 3 == 0)
      result += ',';
    result += text[i];
  }
  return result;
}

std::string Elements::explained(const std::string& label, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Term* term = find_term(name);
    if (term == nullptr)
      continue;
    used_.insert(term->id);
    return fmt::format(
        "{0} <button type=\"button\" class=\"why\" popovertarget=\"term-{1}\" aria-label=\"what "
        "{0} means\">?"
        "</button>",
        escaped(label), escaped(term->id));
  }
  return escaped(label);
}

std::string Elements::table(const Table& table, const std::string& caption) {
  bool units_by_row = false;
  std::vector<std::string> units;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    units.push_back(common_unit(table, i));
    units_by_row = units_by_row || (has_several_units(table, i) && holds_figures(table, i));
  }
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table{2} "
      "data-table=\"{1}\">"
      "<caption>{0}</caption>\n<thead><tr><td></td>",
      escaped(caption), escaped(table.id),
      table.columns.size() > kManyColumns ? " class=\"wide\"" : "");
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const bool has_unit = !units_by_row && !units[i].empty() && units[i] != column.label;
    html += fmt::format("<th scope=\"col\"{} data-c=\"{}\">{}{}</th>",
                        holds_figures(table, i) ? " class=\"n\"" : "", escaped(column.id),
                        explained(column.label.empty() ? "value" : column.label, {column.id}),
                        has_unit ? " <small>" + escaped(units[i]) + "</small>" : "");
  }
  html += units_by_row ? "<th scope=\"col\" class=\"unit\">unit</th></tr></thead>\n<tbody>\n"
                       : "</tr></thead>\n<tbody>\n";
  for (const Row& row : table.rows) {
    html += fmt::format("<tr data-r=\"{}\"><th scope=\"row\">{}</th>", escaped(row.id),
                        explained(row.label, {row.id}));
    for (const Cell& cell : row.cells)
      html += cell_html(cell);
    html += units_by_row ? "<td>" + escaped(row_unit(row)) + "</td></tr>\n" : "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string Elements::explanations() const {
  std::string html;
  for (const std::string& id : used_) {
    const Term& term = *find_term(id);
    html += fmt::format("<div popover id=\"term-{}\" class=\"term\"><h3>{}</h3><p>{}</p><dl>",
                        escaped(id), escaped(term.title), escaped(term.text));
    const auto add = [&](const char* name, const std::string& text) {
      if (text != "none")
        html += fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(text));
    };
    add("Unit", term.unit);
    add("Formula", term.formula);
    add("Moved by", term.moves);
    html += "</dl></div>\n";
  }
  return html;
}

}  // namespace nplab::reports::html
