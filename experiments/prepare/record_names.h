// Files as a run record names them: a record does not depend on where the checkout lies.
#pragma once

#include <string>
#include <vector>

namespace nplab::experiments {

// Files of the data directory by their path in it, such as `workloads/published.rules.yaml`; every
// other as it was given: `given` holds the paths that may have been made absolute since. A
// generator's SPEC, and several names joined by blanks, may be given too.
std::string record_name(const std::string& name, const std::vector<std::string>& given = {});

}  // namespace nplab::experiments
