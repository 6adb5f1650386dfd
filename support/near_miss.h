// "Did you mean ...?": the known name nearest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nplab {

// `did you mean 'x'?` when a known name, or one of its parts (`latency` of `pipeline_latency`), is
// within two edits or a third of the unknown name's length; with two equally near ones `'x' or
// 'y'`. Otherwise `known: a, b, c`, or the nearest ten when there are more than twenty.
std::string suggestion(std::string_view unknown, const std::vector<std::string>& known);

}  // namespace nplab
