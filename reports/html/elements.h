// Pieces of HTML: escaped text, tables with captions, column heads that explain themselves. Private
// to reports.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/tables/table.h"

namespace nplab::reports::html {

// Text as it stands between tags and in quoted attributes.
std::string escaped(std::string_view text);

// A cell's figure in full precision; empty when it does not apply or is text.
std::string exact_value(const Cell& cell);

// Figures in a text in groups of three digits: 1,229.6.
std::string with_separators(std::string_view text);

// The pieces of one page. Remembers which terms it has explained, so that the page holds each text
// once.
class Elements {
 public:
  // A table with its caption: cells hold the figure as texts show it, and in full precision in
  // `data-v`.
  std::string table(const Table& table, const std::string& caption);

  // A label with a button that shows what the glossary says of one of `names`, the first that it
  // knows; the label alone when it knows none.
  std::string explained(const std::string& label, const std::vector<std::string>& names);

  // The explanations of all terms that were asked for.
  [[nodiscard]] std::string explanations() const;

 private:
  std::set<std::string> used_;
};

}  // namespace nplab::reports::html
