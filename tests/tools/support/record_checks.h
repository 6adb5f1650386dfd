// What every run record must satisfy, computed anew from its integers.
#pragma once

#include <nlohmann/json.hpp>

namespace nplab::tools::testing {

// Checks each of these with Catch: an engine's cycles by state sum to the run's; a thread's,
// waiting included, too; the lines' executing, aborted and stalled cycles sum to the engine's and
// their waiting to its threads'; every received packet is sent, dropped for a reason or in flight;
// ports sum to packets; nothing is classified or forwarded wrongly.
void check_record(const nlohmann::json& record);

// Every packet offered was received and classified, and none is left in flight.
void check_all_classified(const nlohmann::json& record);

}  // namespace nplab::tools::testing
