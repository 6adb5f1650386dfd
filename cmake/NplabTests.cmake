# nplab_tests(NAME SOURCES ... LINKS ...): one Catch2 executable a folder, nplab_NAME_tests, registered with ctest.
# Catch2's runner is compiled once (tests/catch_main.cpp). Tests that want SystemC bring their own sc_main.
function(nplab_tests name)
  cmake_parse_arguments(ARG "OWN_MAIN" "" "SOURCES;LINKS" ${ARGN})
  add_executable(nplab_${name}_tests ${ARG_SOURCES})
  target_include_directories(nplab_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(nplab_${name}_tests PRIVATE -Wall -Wextra)
  if(NOT ARG_OWN_MAIN)
    target_link_libraries(nplab_${name}_tests PRIVATE nplab_catch_main)
  endif()
  target_link_libraries(nplab_${name}_tests PRIVATE ${ARG_LINKS})
  target_compile_definitions(nplab_${name}_tests PRIVATE NPLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                         NPLAB_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${name} COMMAND nplab_${name}_tests)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()
