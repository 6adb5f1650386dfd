// The nplab command line.
#pragma once

namespace nplab::tools {

// Parses and runs one call. Returns the process's exit status: 0 done and every check held; 1 a
// check failed; 2 bad input or usage; 3 the simulated program failed.
int run_command_line(int argc, char** argv);

}  // namespace nplab::tools
