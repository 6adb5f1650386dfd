// The workload file: rule set, traffic and how they meet the chip, as a user declares them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/yaml.h"
#include "workloads/packets/key_layout.h"
#include "workloads/packets/port_id.h"
#include "workloads/rules/rule_set.h"
#include "workloads/traffic/arrival.h"

namespace nplab::workloads {

// A name in the file, with the place where it stands. Files are found beside the file that names
// them.
struct NamedInput {
  std::string name;
  SourceLocation location;
};

// `workload.K=V` of the command line; `path` is K.
struct WorkloadOverride {
  std::string path;
  std::string value;
  SourceLocation location;
};

struct KeyChoice {
  KeyVariant variant = KeyVariant::kFixed;
  std::optional<yaml::Node> fields;  // places of fields by name, judged when their widths are known
  SourceLocation location;
};

// A workload file's values, each checked by itself.
struct WorkloadFile {
  std::string name;
  std::string sha256;  // of the file as it lies on disk
  NamedInput rules;
  RuleReading rule_reading;
  std::vector<NamedInput> traffic;  // one, or one a port; files, or one generator SPEC
  std::optional<KeyChoice> key;     // nothing: by the rule set's fields
  std::optional<L4Key> l4_key;      // nothing: by the kind of traffic
  std::optional<Arrival> arrival;   // nothing: the generator's, or wire
  std::vector<PortId> ports_in;
  Slot slot;
  std::uint64_t seed = 1;
  std::size_t frame_bytes = 64;
};

std::optional<WorkloadFile> read_workload_file(const std::string& path,
                                               const std::vector<WorkloadOverride>& overrides,
                                               Diagnostics& diagnostics);

// `0-3`, `0,2`, `0-1,4`: ports in the order given, each once; nothing when it is not written so.
std::optional<std::vector<PortId>> parse_port_list(std::string_view text);
inline constexpr const char* kPortListHelp = "ports are written 0-3 or 0,2; each once";

}  // namespace nplab::workloads
