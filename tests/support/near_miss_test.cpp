#include "support/near_miss.h"

#include <algorithm>
#include <catch2/catch.hpp>

using nplab::suggestion;

TEST_CASE("a name within two edits is suggested") {
  CHECK(suggestion("entires", {"memory", "entries"}) == "did you mean 'entries'?");
}

TEST_CASE("a name like no other gets the list of known ones") {
  CHECK(suggestion("colour", {"memory", "entries"}) == "known: memory, entries");
}

TEST_CASE("a part of a name is enough to suggest it") {
  CHECK(suggestion("latncy", {"bytes", "pipeline_latency", "locks"}) ==
        "did you mean 'pipeline_latency'?");
  CHECK(suggestion("latency", {"pipeline_latency", "push_latency", "bytes"}) ==
        "did you mean 'pipeline_latency' or 'push_latency'?");
}

TEST_CASE("of many names the nearest ten are listed") {
  std::vector<std::string> names;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    names.push_back(std::string("entry_of_") + letter);
  names.emplace_back("colours_of_it");
  const std::string text = suggestion("colour_it", names);
  CHECK(text.starts_with("the nearest: colours_of_it, "));
  CHECK(std::count(text.begin(), text.end(), ',') == 9);
}
