#include "tests/fuzz/constructs/grammar.h"

#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace nplab::test {
namespace {

constexpr unsigned kMostDepth = 5;

struct SymbolPlace {
  std::size_t begin, end;  // of the brackets and what they hold
  std::string name;
  bool is_one_choice;
};

// The first symbol in the text from `from` on; `<` of C is not followed by letters and `>`.
std::optional<SymbolPlace> next_symbol(std::string_view text, std::size_t from) {
  static const std::regex symbol("<(([a-z0-9][a-z0-9 ]*)(!?))?>");
  std::cmatch match;
  if (!std::regex_search(text.data() + from, text.data() + text.size(), match, symbol))
    return std::nullopt;
  const std::size_t begin = from + static_cast<std::size_t>(match.position());
  return SymbolPlace{begin, begin + static_cast<std::size_t>(match.length()), match[2].str(),
                     match[3].length() != 0};
}

}  // namespace

Grammar::Grammar(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::vector<std::string>* symbol = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    if (line.starts_with("  "))
      symbol->push_back(line.substr(2));
    else
      symbol = &symbols_[line.substr(0, line.size() - 1)];
  }
  check();
}

void Grammar::check() const {
  for (const auto& [name, alternatives] : symbols_)
    for (const std::string& alternative : alternatives)
      for (auto place = next_symbol(alternative, 0); place;
           place = next_symbol(alternative, place->end))
        if (!place->name.empty() && !symbols_.contains(place->name))
          throw std::runtime_error("the grammar has no symbol <" + place->name + ">");
}

std::string Grammar::draw(const std::string& symbol, std::mt19937_64& random) const {
  const auto& choices = symbols_.at(symbol);
  return expand(choices[random() % choices.size()], random);
}

std::string Grammar::expand(std::string_view text, std::mt19937_64& random) const {
  Chosen chosen;
  return expand(text, random, 0, chosen);
}

std::string Grammar::expand(std::string_view text, std::mt19937_64& random, unsigned depth,
                            Chosen& chosen) const {
  std::string result;
  std::size_t at = 0;
  for (auto place = next_symbol(text, 0); place; place = next_symbol(text, place->end)) {
    result += text.substr(at, place->begin - at);
    at = place->end;
    if (place->name.empty())
      continue;
    if (place->is_one_choice && chosen.contains(place->name)) {
      result += chosen[place->name];
      continue;
    }
    const auto& choices = symbols_.at(place->name);
    const std::size_t choice = depth >= kMostDepth ? 0 : random() % choices.size();
    const std::string drawn = expand(choices[choice], random, depth + 1, chosen);
    if (place->is_one_choice)
      chosen[place->name] = drawn;
    result += drawn;
  }
  return result.append(text.substr(at));
}

}  // namespace nplab::test
