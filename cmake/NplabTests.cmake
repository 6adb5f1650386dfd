# nplab_tests(NAME FOLDERS ... SOURCES ... LINKS ...): one Catch2 executable, nplab_NAME_tests, of all sources of FOLDERS
# and of SOURCES, registered with ctest. Catch2's runner is compiled once (tests/catch_main.cpp).
function(nplab_tests name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;SOURCES;LINKS" ${ARGN})
  nplab_sources(found ${ARG_FOLDERS})
  add_executable(nplab_${name}_tests ${found} ${ARG_SOURCES})
  target_include_directories(nplab_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(nplab_${name}_tests PRIVATE -Wall -Wextra)
  target_link_libraries(nplab_${name}_tests PRIVATE nplab_catch_main nplab_test_paths ${ARG_LINKS})
  add_test(NAME ${name} COMMAND nplab_${name}_tests)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()
