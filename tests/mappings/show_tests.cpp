// Placements for people.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "fixtures.h"
#include "mappings/resolver/show.h"
#include "support/process.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

// What a command prints; it fails the test when it fails.
std::string output_of(const std::vector<std::string>& command) {
  Diagnostics diagnostics;
  const auto result = run_successfully({.command = command}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  return result->out;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("Graphviz reads BV2's stage graph as six stages in a row with five queues") {
  const auto file = std::filesystem::temp_directory_path() / "nplab-show-test.dot";
  std::ofstream(file) << show_dot(place_shipped("bv2").placement);
  const std::string plain = output_of({"dot", "-Tplain", file.string()});
  std::filesystem::remove(file);
  CHECK(count(plain, "\nnode ") == 6);
  CHECK(count(plain, "\nedge ") == 5);
  for (const char* edge :
       {"edge receive dimension1 ", "edge dimension1 dimension2 ", "edge dimension2 dimension3 ",
        "edge dimension3 intersection ", "edge intersection transmit "}) {
    CHECK(count(plain, edge) == 1);
  }
}

TEST_CASE("the text of BV2 tells stages, queues and the memory map") {
  const std::string text = show_text(place_shipped("bv2").placement);
  INFO(text);
  CHECK(count(text,
              "  dimension3     tasks     threads 3.0-3\n"
              "                 runs lookup[2]; packet fields protocol\n") == 1);
  CHECK(count(text,
              "  intersection   tasks     threads 4.0-3\n"
              "                 runs intersect act; packet fields none; gives the verdict\n"
              "                 gives back entries of received found1 found2 found3\n") == 1);
  CHECK(count(text,
              "  found3         dimension3 -> intersection: 1 ring of 128 entries of 5 longwords "
              "in sram\n"
              "                 carries vector[0] vector[1] vector[2]; full: wait; release: "
              "end_of_packet; wait: poll\n"
              "                 hand-over: lap bit in the entry, the cheapest for these threads\n"
              "                 sync of producers: engine (threads of one engine), count in a "
              "register of the engine\n"
              "                 sync of consumers: engine (each thread claims an entry of its "
              "own), count in a register of the engine\n"
              "                 references per hand-over: put 1.01 + get 1.00 + release 1.00 = "
              "3.01\n") == 1);
  CHECK(count(text, "  table actions                sram            0x8           16\n") == 1);
  CHECK(count(text, "  packet buffers               sdram         0x800      8519680\n") == 1);
  CHECK(count(text, "  engine 5  scratch       0x508          256 = 4 threads x 64\n") == 1);
}
