#include "reports/analysis/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nplab::reports {
namespace {

bool was_off_throughout(const Thread& thread) {
  return thread.idle.size() == 1 && thread.idle.begin()->first == "off";
}

}  // namespace

std::string counts_text(const CountByName& counts) {
  std::vector<std::pair<std::string, Count>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  std::string text;
  for (const auto& [name, count] : order)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

void add_counts(CountByName& sum, const CountByName& counts) {
  for (const auto& [name, count] : counts)
    sum[name] += count;
}

const CountByName& waits_of(const Thread& thread) {
  return thread.waiting_on.empty() ? thread.waiting : thread.waiting_on;
}

std::map<std::string, double> idle_by_cause(const Engine& engine) {
  std::vector<const Thread*> counted;
  for (const Thread& thread : engine.threads)
    if (!thread.idle.empty() && !was_off_throughout(thread))
      counted.push_back(&thread);
  if (counted.empty())
    for (const Thread& thread : engine.threads)
      if (!thread.idle.empty())
        counted.push_back(&thread);
  std::map<std::string, double> parts;
  for (const Thread* thread : counted)
    for (const auto& [cause, cycles] : thread->idle)
      parts[cause] += static_cast<double>(cycles) / static_cast<double>(counted.size());
  return parts;
}

std::string idle_phrase(const std::string& cause) {
  if (cause == "ready")
    return "on their way to P3";
  if (cause == "off")
    return "off";
  return "waiting for " + cause;
}

}  // namespace nplab::reports
