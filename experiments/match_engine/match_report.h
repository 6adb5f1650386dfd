// A match engine's run as JSON, as text and as a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "experiments/match_engine/match_run.h"

namespace nplab::experiments {

// Schema nplab.match_run/1.
nlohmann::ordered_json match_run_json(const MatchRunResult& result, const MatchRunOptions& options);
std::string match_run_text(const MatchRunResult& result, const MatchRunOptions& options);
// One file of HTML: figures, charts over time, the unit's modules.
std::string match_run_page(const MatchRunResult& result, const MatchRunOptions& options);

}  // namespace nplab::experiments
