// Tables as aligned text. Private to reports.
#pragma once

#include <string>

#include "reports/tables/table.h"

namespace nplab::reports {

// Of a table with one column: a line a row, with its unit.
std::string render_list(const Table& table);

// Of a table with a row or more: a line for the columns' titles and one a row.
std::string render_matrix(const Table& table);

}  // namespace nplab::reports
