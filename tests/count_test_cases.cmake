# Compares the number of test cases in the sources with those that ctest knows:
# cmake -DSOURCES=tests -DBUILD=build/release -P count_test_cases.cmake
# grep counts: names hold brackets and semicolons, which lists of CMake do not.
function(count_lines pattern variable)
  execute_process(COMMAND grep -rhE --include=*.cpp ${pattern} ${SOURCES} OUTPUT_VARIABLE found)
  string(REGEX REPLACE "[^\n]" "" found "${found}")
  string(LENGTH "${found}" count)
  set(${variable} ${count} PARENT_SCOPE)
endfunction()
count_lines("^TEST_CASE\\(" in_sources)
count_lines("\"\\[\\.\\]" by_hand)   # tagged [.] alone: run by name only
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} -N WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE listing
                RESULT_VARIABLE status)
string(REGEX MATCHALL "Test +#[0-9]+: [a-z_]+(-long)?/" registered "${listing}")
list(LENGTH registered registered)
math(EXPR expected "${in_sources} - ${by_hand}")
message("${in_sources} test cases in the sources, ${by_hand} of them run by hand only; ${registered} registered")
if(NOT registered EQUAL expected)
  message(FATAL_ERROR "a test case is not run: see nplab_tests in cmake/NplabTests.cmake")
endif()
