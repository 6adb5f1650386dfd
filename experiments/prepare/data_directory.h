// Where nplab's own files lie: chips, mappings, workloads, the C library and the tests.
#pragma once

#include <filesystem>

namespace nplab::experiments {

// $NPLAB_DATA when set; `share/nplab` beside an installed program; otherwise the checkout it was
// built from.
std::filesystem::path data_directory();

// The running program.
std::filesystem::path program_file();

// Its folder.
std::filesystem::path program_directory();

}  // namespace nplab::experiments
