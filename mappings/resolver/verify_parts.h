// The parts of verify() (verify.h), each of which adds a sentence for everything that it finds.
#pragma once

#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

using Findings = std::vector<std::string>;

void verify_fit(const Placement& placement, Findings& findings);
void verify_threads(const Placement& placement, Findings& findings);
void verify_queues(const Placement& placement, Findings& findings);
void verify_metadata(const Placement& placement, Findings& findings);

}  // namespace nplab::mappings
