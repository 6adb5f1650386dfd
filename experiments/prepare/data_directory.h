// Where nplab's own files lie: chips, mappings, workloads, the C library and the tests.
#pragma once

#include <filesystem>

namespace nplab::experiments {

// $NPLAB_DATA when set; `share/nplab` beside an installed program's folder; for a program that
// links the installed library, that of the package; for a program in its build folder, the
// checkout.
std::filesystem::path data_directory();

// The running program.
std::filesystem::path program_file();

// Its folder.
std::filesystem::path program_directory();

}  // namespace nplab::experiments
