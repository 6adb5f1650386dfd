#include "support/near_miss.h"

#include <algorithm>
#include <catch2/catch.hpp>

using nplab::suggestion;

TEST_CASE("a name within two edits is suggested") {
  CHECK(suggestion("entires", {"memory", "entries"}) == "did you mean 'entries'?");
}

TEST_CASE("a suggestion keeps most of a short name") {
  CHECK(suggestion("sl", {"ls", "bv1"}) == "did you mean 'ls'?");
  CHECK(suggestion("bv", {"ls", "bv1"}) == "did you mean 'bv1'?");
  CHECK(suggestion("xx", {"ls", "cc"}) == "known: ls, cc");
  CHECK(suggestion("q", {"s", "ls"}) == "known: s, ls");
  CHECK(suggestion("foo", {"loss", "key"}) == "known: loss, key");
  CHECK(suggestion("thred", {"bread", "threads"}) == "did you mean 'threads'?");
}

TEST_CASE("the dashes of an option do not make its name longer") {
  CHECK(suggestion("sed", {"seed", "set"}, "--") == "did you mean '--seed' or '--set'?");
  CHECK(suggestion("foo", {"loss"}, "--") == "known: --loss");
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
