// The figures of `bench match-engine` as a page of charts: what was measured, and beside it what an
// analytic model allows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace nplab::experiments {

// One file of HTML, of what bench_match_engine gives.
std::string match_bench_page(const nlohmann::ordered_json& bench);

}  // namespace nplab::experiments
