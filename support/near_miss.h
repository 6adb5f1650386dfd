// "Did you mean ...?": the known name nearest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nplab {

// `did you mean 'x'?` when a known name, or one of its parts (`latency` of `pipeline_latency`), is
// near the unknown one; with two equally near ones `'x' or 'y'`. Near is one edit for names of up
// to four letters, two for longer ones, and from nine letters on a third of them; two neighbours
// that changed places are one edit. Otherwise `known: a, b, c`, or the nearest ten when there are
// more than twenty. `before` is written before each name: the dashes of options.
std::string suggestion(std::string_view unknown, const std::vector<std::string>& known,
                       std::string_view before = "");

}  // namespace nplab
