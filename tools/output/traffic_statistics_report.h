// Statistics of traffic, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workloads/traffic/traffic.h"
#include "workloads/traffic/traffic_statistics.h"

namespace nplab::tools {

std::string render_traffic_statistics(const workloads::Traffic& traffic,
                                      const workloads::TrafficStatistics& statistics);
nlohmann::ordered_json traffic_statistics_json(const workloads::Traffic& traffic,
                                               const workloads::TrafficStatistics& statistics);

}  // namespace nplab::tools
