// Packets that a debugger shows of a chip that stands still.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/debugging/debug_target.h"

namespace nplab::experiments {

// Of each packet in the chip, the oldest first: {packet, port, received, verdict, rule,
// forward_port, expected, header}. `rule` is null where no rule matches, `expected`, the
// reference's rule, missing where there is no reference; `header` is a list of names and values.
nlohmann::json packets_view(const DebugTarget& target, const simulator::RunVisitor::View& view);

// The same of packets that the thread works on (packet_holders.h), with `place` and `address`.
nlohmann::json work_view(const nlohmann::json& request, const DebugTarget& target,
                         const simulator::RunVisitor::View& view);

}  // namespace nplab::experiments
