// A workload: what the simulated chip classifies, by which rules, and how it arrives. Immutable
// once resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "workloads/packets/key_layout.h"
#include "workloads/packets/port_id.h"
#include "workloads/rules/rule_set.h"
#include "workloads/traffic/arrival.h"
#include "workloads/traffic/traffic.h"
#include "workloads/workload_file.h"

namespace nplab::workloads {

struct Workload {
  std::string name;
  RuleSet rules;
  Traffic traffic;  // keys and gaps set; frames for every packet
  KeyLayout key;
  L4Key l4_key = L4Key::kAlways;
  Arrival arrival;
  std::vector<PortId> ports_in;
  Slot slot;
  std::uint64_t seed = 1;
  std::string file_sha256;  // of the workload file
};

// What a command line says about the workload; what it leaves open comes from the file.
struct WorkloadOptions {
  std::string file;                   // the workload file, such as published.yaml
  std::optional<std::string> rules;   // --rules
  std::optional<RuleSet> rule_set;    // what `rules` names, when it is no file
  std::vector<std::string> traffic;   // --traffic: nothing, one file or SPEC, or a file a port
  std::optional<std::uint64_t> seed;  // --seed
  std::optional<L4Key> l4_key;        // --l4-key
  std::optional<std::vector<PortId>> ports_in;  // --ports-in
  std::optional<Arrival> arrival;               // --arrival
  std::vector<WorkloadOverride> overrides;      // --set workload.K=V
};

// Reads everything that the options and the file name and checks that it fits together; all errors
// at once. What depends on the inputs' kind, unless it is said: with other rules than the file's,
// the key is fixed when every field has a place of its own, else ipv4_full for captures and
// ipv4_5tuple (no IP options) for everything else; with other traffic than the file's, l4_key is
// transport for captures and always for everything else. With L4Key::kFragments the rules' port
// fields are those of fragment_rules.h.
std::optional<Workload> resolve_workload(const WorkloadOptions& options, Diagnostics& diagnostics);

// The reference classifier's answer to each packet, by its index in the traffic. A packet without a
// key matches none.
std::vector<std::optional<RuleIndex>> reference_answers(const Workload& workload);

}  // namespace nplab::workloads
