// What the texts of a study's results say of its claims and figures.
#pragma once

#include <optional>
#include <string>

#include "experiments/studies/study_results.h"

namespace nplab::experiments {

const char* name_of(JudgedClaim::Outcome outcome);

// `at least 1.5, below 3`.
std::string bounds_text(const StudyClaim& claim);

// Two decimals, none from 1000 on; `-` of nothing.
std::string figure_text(std::optional<double> value);

// Nothing when one of them is missing, or the base is 0.
std::optional<double> ratio_of(std::optional<double> value, std::optional<double> base);

}  // namespace nplab::experiments
