// Aligned plain text: no colour, no tabs, no spaces at line ends. Private to reports.
#pragma once

#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace nplab::reports {

inline constexpr std::size_t kRunWidth = 100;      // columns of a report of one run
inline constexpr std::size_t kCompareWidth = 120;  // columns of a comparison

// `text` in lines of at most `width` columns, broken at spaces; the first line starts with `first`,
// the others with as many spaces.
std::string wrapped(const std::string& first, const std::string& text, std::size_t width);

// A heading, underlined.
std::string heading(const std::string& title);

// Text cut to `width` columns, its last one then `~`.
std::string clipped(const std::string& text, std::size_t width);

// Lines joined, each without the spaces at its end.
std::string join_lines(const std::vector<std::string>& lines);

// The label of one figure of a table, for a list of figures: the row's, and the column's where
// there are several.
std::string figure_label(const Table& table, const Row& row, std::size_t column);

// The unit to print after a label: nothing where the label says it already.
std::string figure_unit(const std::string& label, const Cell& cell);

}  // namespace nplab::reports
