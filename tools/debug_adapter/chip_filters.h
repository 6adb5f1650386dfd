// Stops by the chip's own terms, which the protocol calls filters of exceptions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "experiments/debugging/debug_target.h"
#include "experiments/debugging/stop_points.h"

namespace nplab::tools {

// For the answer to `initialize`.
nlohmann::json chip_filters();

// What the filter stops at with this condition, without an id; or what is wrong with them.
std::variant<experiments::ChipStop, std::string> chip_stop_of(
    const experiments::DebugTarget& target, const std::string& filter,
    const std::string& condition);

// The number of the queue that `queue:NAME` names.
std::optional<std::size_t> queue_place(const experiments::DebugTarget& target,
                                       const std::string& place);

}  // namespace nplab::tools
