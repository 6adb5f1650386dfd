#include "reports/analysis/published.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <sstream>

namespace nplab::reports {
namespace {

using CsvRow = std::vector<std::string>;

// The files are ours: no quotes, and a wrong one is a broken build.
std::vector<CsvRow> split_csv(const char* text) {
  std::vector<CsvRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty())
      continue;
    std::istringstream fields(line);
    CsvRow& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      row.push_back(field);
    assert(row.size() == rows.front().size() && "a published table has a ragged row");
  }
  return rows;
}

bool same_name(std::string_view left, std::string_view right) {
  return std::equal(
      left.begin(), left.end(), right.begin(), right.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

PublishedEngine read_engine(const CsvRow& row) {
  assert(row.size() == 7 && "engines: mapping, engine, role, executing, aborted, idle, mips");
  return {row[2], std::stod(row[3]), std::stod(row[4]), std::stod(row[5]), std::stod(row[6])};
}

std::vector<PublishedRun> read_published() {
  const std::vector<CsvRow> overall = split_csv(kPublishedOverallCsv);
  const std::vector<CsvRow> engines = split_csv(kPublishedEnginesCsv);
  std::vector<PublishedRun> runs;
  for (std::size_t column = 2; column < overall.front().size();
       ++column) {  // after metric and unit
    PublishedRun& run = runs.emplace_back();
    run.mapping = overall.front()[column];
    for (std::size_t i = 1; i < overall.size(); ++i)
      run.overall[overall[i][0]] = std::stod(overall[i][column]);
    for (const CsvRow& row : engines) {
      if (row[0] == run.mapping)
        run.engines.push_back(read_engine(row));
    }
  }
  return runs;
}

}  // namespace

const PublishedRun* find_published(std::string_view mapping) {
  static const std::vector<PublishedRun> runs = read_published();
  for (const PublishedRun& run : runs) {
    if (same_name(run.mapping, mapping))
      return &run;
  }
  return nullptr;
}

}  // namespace nplab::reports
