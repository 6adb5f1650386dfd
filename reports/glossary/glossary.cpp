#include "reports/glossary/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "reports/glossary/embedded.h"
#include "reports/tables/text_layout.h"
#include "support/yaml.h"

namespace nplab::reports {
namespace {

std::string scalar_of(const yaml::Node& item, std::string_view key) {
  const yaml::Node* node = item.find(key);
  assert(node != nullptr && node->is_scalar() && "every term of the glossary has every key");
  return node->scalar();
}

Term read_term(const yaml::Node& item) {
  Term term{scalar_of(item, "id"),      {},
            scalar_of(item, "kind"),    scalar_of(item, "title"),
            scalar_of(item, "unit"),    scalar_of(item, "text"),
            scalar_of(item, "formula"), scalar_of(item, "moves")};
  if (const yaml::Node* also = item.find("also"))
    for (const yaml::Node& name : also->items())
      term.also.push_back(name.scalar());
  return term;
}

std::vector<Term> read_glossary() {
  Diagnostics diagnostics;
  const auto root = yaml::parse(kGlossaryText, "glossary.yaml", diagnostics);
  assert(root && "the compiled-in glossary is valid YAML");
  std::vector<Term> terms;
  for (const yaml::Node& item : root->items())
    terms.push_back(read_term(item));
  return terms;
}

}  // namespace

const std::vector<Term>& glossary() {
  static const std::vector<Term> terms = read_glossary();
  return terms;
}

const Term* find_term(std::string_view name) {
  const auto called = [](std::string_view wanted) -> const Term* {
    for (const Term& term : glossary())
      if (term.id == wanted ||
          std::find(term.also.begin(), term.also.end(), wanted) != term.also.end())
        return &term;
    return nullptr;
  };
  const Term* term = called(name);
  return term != nullptr ? term : called(name.substr(0, name.find('.')));
}

std::string render_term(const Term& term) {
  std::string text = fmt::format("{} ({})\n", term.title, term.kind);
  text += wrapped("  ", term.text, kRunWidth);
  if (term.unit != "none")
    text += wrapped("  unit     ", term.unit, kRunWidth);
  if (term.formula != "none")
    text += wrapped("  formula  ", term.formula, kRunWidth);
  return text + wrapped("  moved by ", term.moves, kRunWidth);
}

}  // namespace nplab::reports
