// The result of a lab's check in the format that course systems read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace nplab::experiments {

// JUnit XML of what check_lab returned: a test suite per lab, a test case per check. A figure that
// is not as wanted is a failure; a command that failed is an error.
std::string lab_junit(const nlohmann::ordered_json& checked);

}  // namespace nplab::experiments
