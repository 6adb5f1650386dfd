// What the tests of this folder share: inputs from text, expected errors, a folder for files, the
// shared data.
#pragma once

#include <catch2/catch.hpp>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "support/sha256.h"
#include "tests/shared_collection.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads::testing {

inline InputFile input(const std::string& text) {
  return {"in", text, sha256_hex(text)};
}

// The rule set in `text`, which must be right.
inline RuleSet rules_from(const std::string& text, const RuleReading& reading = {}) {
  Diagnostics diagnostics;
  auto rules = parse_rule_set(input(text), reading, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(rules);
  return std::move(*rules);
}

// The errors of the rule set in `text`, which must be wrong.
inline std::string errors_of_rules(const std::string& text, const RuleReading& reading = {}) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_rule_set(input(text), reading, diagnostics));
  return diagnostics.to_string();
}

// A folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "nplab-workloads-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  [[nodiscard]] std::size_t count() const {
    const auto entries = std::filesystem::directory_iterator(path_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::filesystem::path path_;
};

// The folder of the collection's rule sets, or nothing.
inline std::optional<std::string> shared_rulesets() {
  const std::string folder = nplab::shared_file(".");
  return folder.empty() ? std::nullopt : std::optional(folder);
}

}  // namespace nplab::workloads::testing
