// The traffic generator: headers drawn from a rule set, in frames that carry them where the key layout reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostics.h"
#include "workloads/arrival.h"
#include "workloads/key_layout.h"
#include "workloads/rule_set.h"
#include "workloads/traffic.h"

namespace nplab::workloads {

inline constexpr std::size_t kLongestGeneratedFrameBytes = 1518;  // without a VLAN tag

struct GeneratorSpec {
  std::string text;                        // as the user gave it
  double hit = 1.0;                        // share of headers drawn from a rule
  double locality = 0.0;                   // share of packets that repeat a recent header
  std::optional<std::size_t> frame_bytes;  // with frame check sequence; nothing: the workload's, unless imix
  bool imix = false;
  Arrival arrival;
  std::size_t count = 75000;
};

inline constexpr const char* kGeneratorHelp =
    "gen:KEY=VALUE,... with\n"
    "  hit=0..1       share of headers drawn from a rule: a rule, then a point of it, both uniform (default 1);\n"
    "                 the others are uniform over all headers and match what they match\n"
    "  locality=0..1  share of packets that repeat one of the 16 headers drawn last (default 0)\n"
    "  size=BYTES     of a frame with its check sequence, 64 to 1518, or imix: 64, 594 and 1518 bytes as 7:4:1\n"
    "                 (default: the workload's frame_bytes)\n"
    "  arrival=WHEN   wire (back to back; default), a rate in Mb/s a port (0.1 to 100), or poisson:RATE\n"
    "  count=N        packets before the stream repeats (default 75000)\n"
    "The seed is the workload's.";

bool is_generator_spec(std::string_view text);  // begins with `gen:`

// Reads a SPEC. Errors stand at `location`, their column moved on to the word in question.
std::optional<GeneratorSpec> parse_generator_spec(std::string_view text, const SourceLocation& location,
                                                  Diagnostics& diagnostics);

// Draws `spec.count` packets; the same for equal arguments on every platform. Under L4Key::transport a header of a
// protocol without ports is read with ports 0, so `hit` holds exactly under L4Key::always and for fixed layouts. Gaps
// are left to `with_arrival`.
Traffic generate(const GeneratorSpec& spec, const RuleSet& rules, const KeyLayout& layout,
                 std::size_t default_frame_bytes, std::uint64_t seed);

}  // namespace nplab::workloads
