#include "experiments/prepare/arrival_choice.h"

#include <fmt/format.h>

namespace nplab::experiments {
namespace {

constexpr std::string_view kLossless = "lossless";

}  // namespace

std::optional<ArrivalChoice> parse_arrival_choice(std::string_view text) {
  if (text == kLossless)
    return LosslessArrival{};
  return workloads::parse_arrival(text);
}

std::string to_string(const ArrivalChoice& choice) {
  const auto* arrival = std::get_if<workloads::Arrival>(&choice);
  return arrival == nullptr ? std::string(kLossless) : workloads::to_string(*arrival);
}

std::string unknown_arrival(std::string_view text) {
  return fmt::format("'{}' is not one of: {}, {}", text, workloads::kArrivalHelp, kLossless);
}

}  // namespace nplab::experiments
