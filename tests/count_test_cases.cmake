# Compares the number of test cases in the sources with those that ctest knows:
# cmake -DSOURCES=tests -DBUILD=build/release -P count_test_cases.cmake
# grep counts: names hold brackets, which lists of CMake do not.
execute_process(COMMAND grep -rhE --include=*.cpp "^TEST_CASE\\(" ${SOURCES} OUTPUT_VARIABLE found)
string(REGEX REPLACE "[^\n]" "" found "${found}")
string(LENGTH "${found}" in_sources)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} -N WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE listing
                RESULT_VARIABLE status)
string(REGEX MATCHALL "Test +#[0-9]+: [a-z_]+(-long)?/" registered "${listing}")
# Tests of pages, of the Python package and of the debugger are scripts.
list(FILTER registered EXCLUDE REGEX " (documents|pages|python|debug_adapter)(-long)?/")
list(LENGTH registered registered)
message("${in_sources} test cases in the sources, ${registered} registered")
if(NOT registered EQUAL in_sources)
  message(FATAL_ERROR "a test case is not run: see nplab_tests in cmake/NplabTests.cmake")
endif()
