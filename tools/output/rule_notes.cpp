#include "tools/output/rule_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace nplab::tools {
namespace {

constexpr std::size_t kShown = 50;
constexpr std::size_t kReasonsShown = 10;

// `REASON (N)`, the most frequent first.
std::string reasons_text(const std::vector<Diagnostic>& statements) {
  std::map<std::string, std::size_t> counts;
  for (const Diagnostic& statement : statements)
    ++counts[statement.message];
  std::vector<std::pair<std::string, std::size_t>> ordered(counts.begin(), counts.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ordered.size() && i < kReasonsShown; ++i)
    texts.push_back(fmt::format("{}: {}", ordered[i].second, ordered[i].first));
  if (ordered.size() > kReasonsShown)
    texts.push_back(fmt::format("{} further reasons", ordered.size() - kReasonsShown));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

std::string skipped_summary(const workloads::SkippedStatements& skipped) {
  if (skipped.statements.empty())
    return "";
  const std::size_t left_out = skipped.statements.size() + skipped.unreached;
  std::string text = fmt::format("{} of {} statements left out", left_out, skipped.considered);
  if (skipped.unreached > 0) {
    text +=
        fmt::format(", {} of them in {} chain{} that only skipped jumps lead to", skipped.unreached,
                    skipped.unreached_chains, skipped.unreached_chains == 1 ? "" : "s");
  }
  return text + " (" + reasons_text(skipped.statements) + ")";
}

std::string skipped_notes(const workloads::RuleSet& rules) {
  const auto& skipped = rules.skipped();
  if (skipped.statements.empty())
    return "";
  std::string notes = fmt::format("{}: warning: {}\n", rules.name(), skipped_summary(skipped));
  for (std::size_t i = 0; i < skipped.statements.size() && i < kShown; ++i) {
    const Diagnostic& statement = skipped.statements[i];
    notes += fmt::format("{}:{}:{}: note: skipped: {}\n", statement.location.file,
                         statement.location.line, statement.location.column, statement.message);
  }
  if (skipped.statements.size() > kShown) {
    const std::vector<Diagnostic> more(skipped.statements.begin() + kShown,
                                       skipped.statements.end());
    notes += fmt::format("{}: note: {} more skipped ({})\n", rules.name(), more.size(),
                         reasons_text(more));
  }
  return notes;
}

}  // namespace nplab::tools
