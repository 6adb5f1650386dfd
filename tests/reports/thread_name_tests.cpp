#include "reports/record/thread_name.h"

#include <catch2/catch.hpp>

namespace nplab::reports {

TEST_CASE("A thread's name is its engine and its context, read as it is written") {
  CHECK(to_string(ThreadName{2, 0}) == "2.0");
  CHECK(parse_thread_name("11.3") == ThreadName{11, 3});
}

TEST_CASE("What is not two numbers with a point between them does not name a thread") {
  for (const char* text : {"", "2", "2.", ".0", "2.0.1", "2,0", "-1.0", "two.0", " 2.0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_thread_name(text));
  }
}

}  // namespace nplab::reports
