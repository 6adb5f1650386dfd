#include "workloads/traffic/traffic_writer.h"

#include <fmt/format.h>

#include <cassert>
#include <iterator>

#include "workloads/reference/classifier.h"

namespace nplab::workloads {
namespace {

constexpr std::uint64_t kNanosecondsPerByte = 8000 / static_cast<std::uint64_t>(kLineRateMbps);

// A line a packet: its key's values in the given format, then the rule.
std::string lines_of(const Traffic& traffic, const RuleSet& rules,
                     fmt::format_string<const std::uint64_t&> format) {
  const ReferenceClassifier classifier(rules);
  std::string text;
  for (const Packet& packet : traffic.packets()) {
    assert(packet.key && packet.key->size() == rules.fields().size() &&
           "a trace's packets have keys of the rules' fields");
    const auto rule = classifier.classify(*packet.key);
    for (const std::uint64_t value : *packet.key)
      fmt::format_to(std::back_inserter(text), format, value);
    text += rule ? fmt::format("{}\n", rule->value()) : "-1\n";
  }
  return text;
}

}  // namespace

std::string trace_text(const Traffic& traffic, const RuleSet& rules) {
  return "# SA DA SP DP PROTO RULE\n" + lines_of(traffic, rules, "{} ");
}

std::string key_trace_text(const Traffic& traffic, const RuleSet& rules) {
  return lines_of(traffic, rules, "{:x} ");
}

std::vector<std::uint64_t> start_times(const Traffic& traffic, const Slot& slot) {
  std::vector<std::uint64_t> times;
  std::uint64_t bytes = 0;
  for (const Packet& packet : traffic.packets()) {
    bytes += packet.extra_gap_bytes;
    times.push_back(bytes * kNanosecondsPerByte);
    bytes += packet.frame.size() + slot.gap_bytes + slot.preamble_bytes;
  }
  return times;
}

}  // namespace nplab::workloads
