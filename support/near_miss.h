// "Did you mean ...?": the known name nearest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nplab {

// `did you mean 'x'?` when a known name is within two edits (or a third of the name's length),
// otherwise `known: a, b, c`.
std::string suggestion(std::string_view unknown, const std::vector<std::string>& known);

}  // namespace nplab
