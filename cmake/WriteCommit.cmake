# Writes the commit of the checkout SOURCE into the header OUTPUT, which changes only when the commit does:
# cmake -DSOURCE=... -DOUTPUT=... -P WriteCommit.cmake
# The commit is "-dirty" when a file that goes into the program differs from it; "unknown" outside a git checkout.
set(commit unknown)
set(ENV{GIT_OPTIONAL_LOCKS} 0)   # looking must not write the index, which others may be using
set(folders support isa compiler simulator mappings workloads reports experiments tools cmake CMakeLists.txt)
find_program(GIT git)
if(GIT)
  # Nothing before the commit: SOURCE is the checkout's own folder and not one below another project's.
  execute_process(COMMAND ${GIT} rev-parse --show-prefix --short HEAD WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed AND answer MATCHES "^\n([0-9a-f]+)$")
    set(commit ${CMAKE_MATCH_1})
    execute_process(COMMAND ${GIT} status --porcelain -- ${folders} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes
                    ERROR_QUIET)
    if(NOT changes STREQUAL "")
      string(APPEND commit -dirty)
    endif()
  endif()
endif()

set(text "// Written by cmake/WriteCommit.cmake at build time.
#pragma once

namespace nplab::experiments {

inline constexpr const char* kCommit = \"${commit}\";

}  // namespace nplab::experiments
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
