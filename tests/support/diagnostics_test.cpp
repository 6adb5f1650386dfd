#include "support/diagnostics.h"

#include <catch2/catch.hpp>

using nplab::Diagnostics;

TEST_CASE("beyond fifty errors, how many more there are of each kind is said") {
  Diagnostics diagnostics;
  for (int i = 0; i < 50; ++i)
    diagnostics.error({"m.yaml", i + 1, 1}, "first");
  for (int i = 0; i < 70; ++i) {
    const std::string number = std::to_string(i);
    diagnostics.error({"m.yaml", i + 51, 1},
                      "unknown key 'k" + number + "'; did you mean 'key" + number + "'?");
    if (i % 2 == 0)
      diagnostics.error({"m.yaml", i + 51, 9}, number + " is out of range: 1 to 4");
  }
  const std::string text = diagnostics.to_string();
  const std::string end = text.substr(text.find("and "));
  CHECK(end ==
        "and 105 more errors:\n"
        "      70 x unknown key '...'\n"
        "      35 x N is out of range: N to N\n");
}

TEST_CASE("fifty errors are printed, and nothing is counted") {
  Diagnostics diagnostics;
  for (int i = 0; i < 50; ++i)
    diagnostics.error({"m.yaml", i + 1, 1}, "one of many");
  CHECK(diagnostics.to_string().find("more") == std::string::npos);
}

TEST_CASE("a word of the command line is named without line and column, a file with them") {
  Diagnostics diagnostics;
  diagnostics.error(nplab::without_lines("--chip"), "unknown chip");
  diagnostics.error({"--chip", 0, 0}, "a file of this name");
  diagnostics.warning(nplab::without_lines("bv9"), "an old name");
  CHECK(diagnostics.to_string() ==
        "bv9: warning: an old name\n"
        "--chip: error: unknown chip\n"
        "--chip:0:0: error: a file of this name\n");
}
