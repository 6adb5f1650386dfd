// Which program this is, so that a run record never names another.
#pragma once

#include <string>

namespace nplab::experiments {

struct ProgramIdentity {
  std::string version;
  std::string commit;    // at build time; with "-dirty" when the sources differed from it
  std::string build_id;  // hash of the program's content, in hexadecimal
};

// Of the program, or the shared library, that contains this code. `build_id` is the one that the
// linker computed from the content (--build-id, which nplab::experiments asks for: installing and
// stripping leave it as it is); where there is none, the SHA-256 of the file.
const ProgramIdentity& program_identity();

}  // namespace nplab::experiments
