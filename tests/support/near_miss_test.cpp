#include "support/near_miss.h"

#include <catch2/catch.hpp>

using nplab::suggestion;

TEST_CASE("a name within two edits is suggested") {
  CHECK(suggestion("entires", {"memory", "entries"}) == "did you mean 'entries'?");
}

TEST_CASE("a name like no other gets the list of known ones") {
  CHECK(suggestion("colour", {"memory", "entries"}) == "known: memory, entries");
}
