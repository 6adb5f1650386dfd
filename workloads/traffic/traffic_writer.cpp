#include "workloads/traffic/traffic_writer.h"

#include <fmt/format.h>

#include <cassert>
#include <iterator>

#include "workloads/reference/classifier.h"

namespace nplab::workloads {
namespace {

constexpr std::uint64_t kNanosecondsPerByte = 8000 / static_cast<std::uint64_t>(kLineRateMbps);

}  // namespace

std::string trace_text(const Traffic& traffic, const RuleSet& rules) {
  const ReferenceClassifier classifier(rules);
  std::string text = "# SA DA SP DP PROTO RULE\n";
  for (const Packet& packet : traffic.packets()) {
    assert(packet.key && packet.key->size() == five_tuple_fields().size() &&
           "a trace's packets have 5-tuples");
    const auto rule = classifier.classify(*packet.key);
    for (const std::uint64_t value : *packet.key)
      fmt::format_to(std::back_inserter(text), "{} ", value);
    text += rule ? fmt::format("{}\n", rule->value()) : "-1\n";
  }
  return text;
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
