// The accessibility checker axe-core (https://github.com/dequelabs/axe-core), fetched from the npm
// registry for the tests alone: nothing of it is in the program or the package.
#pragma once

#include <optional>
#include <string>

namespace nplab::tools::testing {

// Its script; nothing without npm or without the registry.
std::optional<std::string> accessibility_checker();

}  // namespace nplab::tools::testing
