// How the packets of a run arrive, as the user chooses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "workloads/traffic/arrival.h"

namespace nplab::experiments {

// A packet arrives when there is room for it; none is dropped for want of room.
struct LosslessArrival {};

using ArrivalChoice = std::variant<LosslessArrival, workloads::Arrival>;

inline bool is_lossless(const std::optional<ArrivalChoice>& choice) {
  return choice && std::holds_alternative<LosslessArrival>(*choice);
}

// `lossless`, or what workloads::parse_arrival reads.
std::optional<ArrivalChoice> parse_arrival_choice(std::string_view text);
// As parse_arrival_choice reads it.
std::string to_string(const ArrivalChoice& choice);
// `'fast' is none of: wire, ..., lossless`.
std::string unknown_arrival(std::string_view text);

}  // namespace nplab::experiments
