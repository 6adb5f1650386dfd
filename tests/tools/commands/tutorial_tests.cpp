// The tutorial as a reader goes through it: its files are written, its commands run, its figures
// compared.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;

namespace {

struct Block {
  std::string kind;  // `c NAME`, `sh`, `out`
  std::string text;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside)
        blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

Words words_of(const std::string& line) {
  Words words;
  std::istringstream text(line);
  for (std::string word; text >> word;)
    words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("every command of the tutorial runs and prints what the page says", "[tutorial]") {
  const ScratchFolder folder;
  const auto blocks = blocks_of(read_text(nplab::source_path("docs/tutorial.md")));
  REQUIRE(blocks.size() > 15);
  std::string printed;
  for (const Block& block : blocks) {
    INFO(block.kind << '\n' << block.text);
    if (block.kind.starts_with("c ")) {
      (void)folder.write(block.kind.substr(2), block.text);
    } else if (block.kind == "out") {
      CHECK(printed == block.text);
    } else {
      REQUIRE(block.kind == "sh");
      std::istringstream lines(block.text);
      for (std::string line; std::getline(lines, line);) {
        Words words = words_of(line);
        REQUIRE(words.front() == "nplab");
        words.erase(words.begin());
        const Outcome outcome = call_nplab(words, folder.path());
        INFO(line << '\n' << outcome.err);
        CHECK(outcome.status == 0);
        printed = outcome.out;
      }
    }
  }
}
