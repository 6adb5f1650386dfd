// Rules that tell later fragments of IPv4 packets from packets with ports (L4Key::kFragments).
#pragma once

#include "workloads/packets/key_layout.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// The same rules with port fields of kMarkedPortBits: a rule that matches every port matches
// kNoPort, too, and a rule that names ports does not. Ports of other widths and other fields stay
// as they are.
RuleSet with_port_marks(const RuleSet& rules);

// The layout that reads such rules' fields.
void mark_ports(KeyLayout& layout);

}  // namespace nplab::workloads
