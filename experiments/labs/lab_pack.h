// Labs for students: a zip archive with tasks and starting files, without solutions.
#pragma once

#include <string>
#include <vector>

#include "experiments/labs/lab_checks.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Writes `path`: a page that lists the labs, and a folder per lab with its task and its starting
// files, with the figures of the labs' variant. What only teachers need (solutions, the guide, what
// checks want) is not in it. Equal labs give equal archives. A file that cannot be read or written
// is reported, and then there is no archive.
void pack_labs(const std::vector<Lab>& labs, const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab::experiments
