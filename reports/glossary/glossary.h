// What the figures, states and words of reports mean: one text for `nplab explain` and for the
// column heads of the HTML report, from reports/glossary/glossary.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nplab::reports {

struct Term {
  std::string id;
  std::vector<std::string> also;  // other names, ids of rows and columns of tables among them
  std::string kind;               // `metric`, `state`
  std::string title;
  std::string unit;
  std::string text;
  std::string formula;
  std::string moves;  // what makes it go up or down
};

// All terms, in the file's order.
const std::vector<Term>& glossary();

// The term of that id or other name; else, of a name with a dot (references_per_packet.slots), of
// the part before it. Null when there is none.
const Term* find_term(std::string_view name);

// For a terminal, lines of at most `kRunWidth` columns.
std::string render_term(const Term& term);

}  // namespace nplab::reports
