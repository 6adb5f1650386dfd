# Compares the number of test cases in the sources with those that ctest knows:
# cmake -DSOURCES=tests -DBUILD=build/release -P count_test_cases.cmake
file(GLOB_RECURSE sources ${SOURCES}/*.cpp)
set(in_sources 0)
set(by_hand 0)   # tagged [.] alone: run by name only
foreach(source ${sources})
  file(STRINGS ${source} cases REGEX "^TEST_CASE\\(")
  list(LENGTH cases count)
  math(EXPR in_sources "${in_sources} + ${count}")
  file(STRINGS ${source} cases REGEX "\"\\[\\.\\]")
  list(LENGTH cases count)
  math(EXPR by_hand "${by_hand} + ${count}")
endforeach()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} -N WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE listing
                RESULT_VARIABLE status)
string(REGEX MATCHALL "Test +#[0-9]+: [a-z_]+(-long)?/" registered "${listing}")
list(LENGTH registered registered)
math(EXPR expected "${in_sources} - ${by_hand}")
message("${in_sources} test cases in the sources, ${by_hand} of them run by hand only; ${registered} registered")
if(NOT registered EQUAL expected)
  message(FATAL_ERROR "a test case is not run: see nplab_tests in cmake/NplabTests.cmake")
endif()
