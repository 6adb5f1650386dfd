// Text drawn at random from a grammar in a file: `name:` begins a symbol, each indented line after
// it is an alternative, `<name>` stands for one of that symbol's alternatives, `<name!>` for the
// same one wherever it stands in a text, `<>` for nothing.
#pragma once

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace nplab::test {

class Grammar {
 public:
  // Throws std::runtime_error if an alternative names a symbol that does not exist.
  explicit Grammar(std::string_view text);

  [[nodiscard]] const std::vector<std::string>& alternatives(const std::string& symbol) const {
    return symbols_.at(symbol);
  }
  // One of the symbol's alternatives, its symbols replaced.
  std::string draw(const std::string& symbol, std::mt19937_64& random) const;
  // `text` with its symbols replaced. In symbols of symbols, deep down, the first alternative is
  // taken, which must lead to an end.
  std::string expand(std::string_view text, std::mt19937_64& random) const;

 private:
  using Chosen = std::map<std::string, std::string>;
  std::string expand(std::string_view text, std::mt19937_64& random, unsigned depth,
                     Chosen& chosen) const;
  void check() const;

  std::map<std::string, std::vector<std::string>> symbols_;
};

}  // namespace nplab::test
