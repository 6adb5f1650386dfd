// The text of a SPEC, `gen:KEY=VALUE,...`: its settings one by one, their numbers, and errors that
// know where they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::workloads {

struct SpecSetting {
  std::string_view key;
  std::string_view value;
  std::size_t key_at = 0;  // offsets in the text
  std::size_t value_at = 0;
};

// The number that a text is, if it is one from `least` to `most`.
std::optional<std::uint64_t> whole_within(std::string_view text, std::uint64_t least,
                                          std::uint64_t most);
std::optional<double> decimal_within(std::string_view text, double least, double most);

class SpecText {
 public:
  // `name` as in "unknown key 'x' in NAME". `location` is that of the text, which outlives this, as
  // `diagnostics` does.
  SpecText(std::string name, std::string_view text, const SourceLocation& location,
           Diagnostics& diagnostics)
      : name_(std::move(name)), text_(text), location_(location), diagnostics_(diagnostics) {}

  // Hands over each KEY=VALUE from offset `from` on; what is none is an error.
  void each_setting(std::size_t from, const std::function<void(const SpecSetting&)>& take);

  void fail(std::size_t offset, std::string message);
  void fail_unknown(const SpecSetting& setting, const std::vector<std::string>& known);
  // The setting's value from 0 to 1; nothing, and an error, when it is none.
  std::optional<double> share(const SpecSetting& setting);

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::string name_;
  std::string_view text_;
  SourceLocation location_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
};

}  // namespace nplab::workloads
