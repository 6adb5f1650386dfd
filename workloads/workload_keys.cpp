#include "workloads/workload_keys.h"

#include "workloads/packets/frame.h"
#include "workloads/packets/port_id.h"
#include "workloads/rules/interfaces.h"
#include "workloads/traffic/generator.h"

namespace nplab::workloads {
namespace {

using namespace parameters;

constexpr std::int64_t kLargestGap = 1'000'000;

// `0-3`, `0,2`, `0-1,4`
constexpr const char* kPortsPattern = "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$";

// How the key of a packet is loaded: `key: fixed`, or with the places of fields by name.
Value key_choice() {
  const Value variant = choice({"fixed", "ipv4_5tuple", "ipv4_full"});
  const KeyMap place{{required("byte", any_integer(), "Byte of the frame, from its first."),
                      optional("bit", any_integer(), "0", "0 is the most significant.")},
                     ""};
  const KeyMap with_places{
      {required("variant", variant, "How packets are read."),
       optional("fields", names(section(place)), "", "The place of each field by name.")},
      ""};
  return one_of({variant, section(with_places)});
}

KeyMap slot_keys() {
  const Value bytes = integer(0, kLargestGap);
  return {{required("gap_bytes", bytes, "Gap between frames on the wire.").in("bytes"),
           required("preamble_bytes", bytes, "Preamble before each frame.").in("bytes")},
          ""};
}

KeyMap all_workload_keys() {
  return {
      {required("workload", text(), "The workload's name in reports."),
       required("rules", text(), "A rule set's file, beside this one, or `gen:PROFILE,...`."),
       optional("chain", text(), "", "The chain or list of a firewall's listing."),
       optional("unsupported", choice({"refuse", "skip"}), "refuse",
                "What becomes of statements that are not a match of the 5-tuple."),
       optional("interfaces", text(kInterfacesPattern), "",
                "Interfaces that decide matches of a listing: `in=NAME,out=NAME`, or one."),
       required("traffic", one_of({text(), list(text(), 1)}),
                "A capture, a trace, `gen:KEY=VALUE,...`, or a list of files, one for each port."),
       optional("key", key_choice(), "", "How packets are read; else it follows from the fields."),
       optional("l4_key", choice({"transport", "always", "fragments"}), "",
                "Which packets have ports in their key; else it follows from the traffic."),
       optional("arrival", text(), "", "When frames come; as `--arrival`."),
       required("ports_in", one_of({text(kPortsPattern), list(integer(0, kLargestPort), 1)}),
                "Ports that traffic arrives on, each once: `[0, 1, 2, 3]` or `0-3`."),
       required("slot", section(slot_keys()), "What a frame takes on the wire besides itself."),
       required("seed", integer(0), "Seed of everything random."),
       required("frame_bytes", integer(kShortestFrameBytes, kLongestGeneratedFrameBytes),
                "Frames that are built around headers, check sequence included.")
           .in("bytes")},
      ""};
}

}  // namespace

const KeyMap& workload_keys() {
  static const KeyMap kKeys = all_workload_keys();
  return kKeys;
}

}  // namespace nplab::workloads
