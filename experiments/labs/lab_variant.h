// A lab with figures of its own: other addresses, sizes, rules or latencies for each student, so
// that answers cannot be copied. What is expected follows from runs with these figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

// Replaces figures in the texts of a lab: its task, its starting files, its hints, and what its
// checks call and want. Without replacements every text stays as it is.
class LabVariant {
 public:
  LabVariant() = default;

  // What `seed` draws of the key `variant` of a lab.yaml:
  //   draw: a list of tables; one row of each, a map from names to values, is taken
  //   replace: a list of {text, by}; `by` may hold names of rows in braces, and {seed}
  // Equal seeds give equal variants on every machine. Nothing, and diagnostics, when it is not
  // written so.
  static std::optional<LabVariant> draw(const yaml::Node& description, std::uint64_t seed,
                                        Diagnostics& diagnostics);

  // Replaces one more text.
  void replace(std::string text, std::string by);

  [[nodiscard]] std::optional<std::uint64_t> seed() const { return seed_; }

  // Texts are replaced where they are not part of a longer word or number, and what was put in
  // their place is not replaced again.
  [[nodiscard]] std::string applied_to(const std::string& text) const;
  // Of a command line, whose words a replacement may add to.
  [[nodiscard]] std::vector<std::string> applied_to(const std::vector<std::string>& words) const;

 private:
  std::optional<std::uint64_t> seed_;
  std::vector<std::pair<std::string, std::string>> replacements_;
};

}  // namespace nplab::experiments
