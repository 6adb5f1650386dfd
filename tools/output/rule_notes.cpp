#include "tools/output/rule_notes.h"

#include <fmt/format.h>

namespace nplab::tools {
namespace {

constexpr std::size_t kShown = 50;

}  // namespace

std::string skipped_notes(const workloads::RuleSet& rules) {
  std::string notes;
  const auto& skipped = rules.skipped();
  for (std::size_t i = 0; i < skipped.size() && i < kShown; ++i) {
    const SourceLocation& at = skipped[i].location;
    notes += fmt::format("{}:{}:{}: note: skipped: {}\n", at.file, at.line, at.column,
                         skipped[i].message);
  }
  if (skipped.size() > kShown) {
    notes += fmt::format("{}: note: {} more statements skipped\n", rules.name(),
                         skipped.size() - kShown);
  }
  return notes;
}

}  // namespace nplab::tools
