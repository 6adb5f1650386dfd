# nplab_tests(NAME FOLDERS ... SOURCES ... LINKS ... [LONG]): one Catch2 executable, nplab_NAME_tests, of all sources of
# FOLDERS and of SOURCES. Catch2 tells ctest of each test case, so that none can be forgotten: "NAME/sentence". With
# LONG it has cases tagged [full], which are of the long tier (ctest label `full`): "NAME-long/sentence".
# A name must not begin with a dash nor hold a semicolon, which Catch2 and CMake would take for their own; the test
# every_test_case_is_registered fails then.
# Catch2's runner is compiled once (tests/catch_main.cpp). Tests spend their time in the program: optimizing their own code
# little saves a quarter of the time that they take to compile.
function(nplab_tests name)
  cmake_parse_arguments(ARG "LONG" "" "FOLDERS;SOURCES;LINKS" ${ARGN})
  nplab_sources(found ${ARG_FOLDERS})
  set(target nplab_${name}_tests)
  add_executable(${target} ${found} ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${target} PRIVATE nplab_catch_main nplab_test_paths ${ARG_LINKS})
  catch_discover_tests(${target} TEST_SPEC "~[full]" TEST_PREFIX "${name}/" PROPERTIES TIMEOUT 900)
  if(ARG_LONG)
    catch_discover_tests(${target} TEST_SPEC "[full]" TEST_PREFIX "${name}-long/" TEST_LIST ${target}_LONG
                         PROPERTIES TIMEOUT 36000 LABELS full)
  endif()
endfunction()

# nplab_page_code(NAME PAGE FILE): lets the tests NAME include, as FILE, the first C++ block of docs/PAGE.
function(nplab_page_code name page file)
  set(path ${PROJECT_SOURCE_DIR}/docs/${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  string(REGEX MATCH "```cpp\n([^`]*)```" block "${text}")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${file} CONTENT "${CMAKE_MATCH_1}" @ONLY)
  target_include_directories(nplab_${name}_tests PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
