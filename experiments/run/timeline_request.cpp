#include "experiments/run/timeline_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/run/trace_output.h"

namespace nplab::experiments {
namespace {

using simulator::Cycle;
using simulator::Cycles;

constexpr const char* kSlowest = "slowest";

// The start, and some cycles later; short enough to read.
const std::vector<NamedRange> kUsualRanges = {
    {{Cycle(0), Cycle(2000)}, "start"}, {{Cycle(100'000), Cycle(102'000)}, "from cycle 100,000"}};
// The run is repeated up to the slowest packet; so far that costs little beside the whole published
// run.
constexpr Cycle kUsualSlowestBefore{1'000'000};

// A longer stay shows its ends alone.
constexpr Cycles kWholeStay = 4000;
constexpr Cycles kEndOfStay = 2000;
constexpr Cycles kAround = 200;  // before the receipt and after the sending

Cycle before(Cycle at, Cycles cycles) {
  return Cycle(at.number() - std::min(at.number(), cycles));
}

std::vector<NamedRange> ranges_of(const SlowestPacket::Stay& stay, Cycle slowest_before) {
  std::string name = fmt::format("slowest packet {}", stay.packet);
  if (slowest_before == kUsualSlowestBefore)
    name += " of the first million cycles";
  const Cycle from = before(stay.received, kAround), to = stay.sent + kAround;
  if (to - from <= kWholeStay)
    return {{{from, to}, name}};
  return {{{from, from + kEndOfStay}, name + ", received"},
          {{before(to, kEndOfStay), to}, name + ", sent"}};
}

}  // namespace

TimelineRequest timeline_request(const std::vector<std::string>& values, bool has_page,
                                 Diagnostics& diagnostics) {
  if (values.empty())
    return has_page ? TimelineRequest{kUsualRanges, kUsualSlowestBefore} : TimelineRequest{};
  TimelineRequest request;
  for (const std::string& value : values) {
    if (value == kSlowest) {
      request.slowest_before = Cycle::never();
      continue;
    }
    const auto range = parse_cycle_range("--timeline", value, diagnostics);
    if (range && !request.ranges.empty() && range->from < request.ranges.back().cycles.to)
      diagnostics.error(without_lines("--timeline " + value),
                        "ranges are given in order, each after the one before");
    if (range)
      request.ranges.push_back({*range, ""});
  }
  return request;
}

std::vector<NamedRange> ranges_with(std::vector<NamedRange> ranges, const SlowestPacket::Stay& stay,
                                    Cycle slowest_before) {
  for (NamedRange& range : ranges_of(stay, slowest_before))
    ranges.push_back(std::move(range));
  std::stable_sort(ranges.begin(), ranges.end(), [](const NamedRange& x, const NamedRange& y) {
    return x.cycles.from < y.cycles.from;
  });
  std::vector<NamedRange> merged;
  for (NamedRange& range : ranges) {
    if (merged.empty() || merged.back().cycles.to < range.cycles.from) {
      merged.push_back(std::move(range));
      continue;
    }
    NamedRange& last = merged.back();
    last.cycles.to = std::max(last.cycles.to, range.cycles.to);
    if (!range.name.empty())
      last.name += (last.name.empty() ? "" : ", ") + range.name;
  }
  return merged;
}

}  // namespace nplab::experiments
