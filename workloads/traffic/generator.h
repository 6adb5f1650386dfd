// The traffic generator: headers drawn from a rule set, in frames that carry them where the key
// layout reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"
#include "workloads/packets/key_layout.h"
#include "workloads/rules/rule_set.h"
#include "workloads/traffic/arrival.h"
#include "workloads/traffic/pareto.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

inline constexpr std::size_t kLongestGeneratedFrameBytes = 1518;  // without a VLAN tag

struct FrameSize {
  std::size_t bytes = 0;  // with frame check sequence
  std::size_t weight = 1;
  friend bool operator==(const FrameSize&, const FrameSize&) = default;
};

struct GeneratorSpec {
  std::string text;              // as the user gave it
  double hit = 1.0;              // share of headers drawn from a rule
  double locality = 0.0;         // share of packets that repeat a recent header
  ParetoBursts bursts;           // how often a header is sent in a row
  double zipf_exponent = 0.0;    // of the flows' shares, where there are flows
  std::size_t flows = 0;         // headers that all packets have; 0: each is drawn anew
  double fragments = 0.0;        // share of packets that are later fragments
  std::vector<FrameSize> sizes;  // none: all frames have the workload's size
  Arrival arrival;
  std::size_t count = 75000;
};

inline constexpr const char* kGeneratorHelp =
    "gen:KEY=VALUE,... with\n"
    "  hit=0..1       share of headers drawn from a rule: a rule, then a point of it, both uniform "
    "(default 1);\n"
    "                 the others are uniform over all headers, whatever they match\n"
    "  locality=0..1  share of packets that repeat one of the 16 headers drawn last (default 0)\n"
    "  pareto=A:B     each header is sent X times in a row, X drawn from Pareto's distribution of "
    "shape A and scale B\n"
    "                 and rounded up, as ClassBench's traces are (1:0.1 low, 1:1 high locality; "
    "default: once)\n"
    "  zipf=S:FLOWS   all packets have one of FLOWS headers, the k-th with a share in proportion "
    "to "
    "1/k^S (default:\n"
    "                 every header is drawn anew)\n"
    "  fragments=0..1 share of packets that are later fragments of an IPv4 datagram (default 0)\n"
    "  size=BYTES     of a frame with its check sequence, 64 to 1518, or imix: 64, 594 and 1518 "
    "bytes as 7:4:1,\n"
    "                 or BYTES:WEIGHT+BYTES:WEIGHT+... (default: the workload's frame_bytes)\n"
    "  arrival=WHEN   wire (back to back; default), a rate in Mb/s per port (0.1 to 100), or "
    "poisson:RATE\n"
    "  count=N        packets before the stream repeats (default 75000)\n"
    "The seed is the workload's.";

bool is_generator_spec(std::string_view text);  // begins with `gen:`

// Reads a SPEC. Errors stand at `location`, their column moved on to the word in question.
std::optional<GeneratorSpec> parse_generator_spec(std::string_view text,
                                                  const SourceLocation& location,
                                                  Diagnostics& diagnostics);

// `spec.count` packets, each drawn when it is first asked for; the same for equal arguments on
// every platform. Under L4Key::kTransport and kFragments, where a header of a protocol without
// ports is read with ports 0, a rule of any protocol that asks for other ports gets TCP or UDP; a
// rule of one such protocol that asks for ports gets headers that miss it. Gaps are left to
// `with_arrival`.
Traffic generate(const GeneratorSpec& spec, const RuleSet& rules, const KeyLayout& layout, L4Key l4,
                 std::size_t default_frame_bytes, std::uint64_t seed);

}  // namespace nplab::workloads
