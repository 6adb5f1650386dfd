#include "reports/analysis/control_flow_graph.h"

#include <catch2/catch.hpp>

#include "sample_records.h"

namespace nplab::reports {
namespace {

// 0-1: falls into 2-3, a loop; 4: may skip 5; 6: ends; 7: a jump.
Program looping_program() {
  Program program;
  program.engine = 0;
  program.assembly = {"a", "b", "l#: c", "br=0[l#]", "br=0[e#]", "f", "e#: kill", "jump"};
  program.files = {"dir/x.c"};
  program.file = {0, 0, 0, 0, 0, 0, 1, 1};
  program.line = {1, 2, 3, 3, 4, 5, 0, 0};
  program.executing = {4, 4, 40, 40, 4, 1, 4, 0};
  program.aborted = {0, 0, 0, 36, 3, 0, 0, 0};
  program.stalled = {0, 0, 7, 0, 0, 0, 0, 0};
  program.waiting = {0, 0, 9, 0, 0, 0, 0, 0};
  program.references = {0, 0, 40, 0, 0, 0, 0, 0};
  program.longwords = program.references;
  program.next = {"+", "+", "+", "+2", "+6", "+", "end", "?"};
  return program;
}

}  // namespace

TEST_CASE("A block ends after a word that may go elsewhere, and before one that is gone to") {
  const auto blocks = basic_blocks(looping_program());
  std::vector<std::pair<std::size_t, std::size_t>> words;
  std::vector<std::vector<std::size_t>> next;
  for (const BasicBlock& block : blocks) {
    words.emplace_back(block.first, block.last);
    next.push_back(block.next);
  }
  CHECK(words == std::vector<std::pair<std::size_t, std::size_t>>{
                     {0, 1}, {2, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}});
  CHECK(next == std::vector<std::vector<std::size_t>>{{1}, {2, 1}, {3, 4}, {4}, {}, {}});
  CHECK(blocks[4].ends);
  CHECK(blocks[5].goes_anywhere);
}

TEST_CASE("The graph tells a block's words, lines, entries and cycles") {
  const std::string dot = control_flow_dot(sample_record(), looping_program());
  INFO(dot);
  CHECK(dot.find("\"b1\" [label=\"words 2-3\\nx.c:3\\nentered 40\\n123 cycles, 12.3 %\\naborted "
                 "36\\nstalled 7\\nwaiting 9\"") != std::string::npos);
  CHECK(dot.find("  \"b1\" -> \"b2\";\n  \"b1\" -> \"b1\";\n") != std::string::npos);
  CHECK(dot.find("  \"b4\" -> \"end\";\n") != std::string::npos);
  CHECK(dot.find("  \"b5\" -> \"anywhere\" [style=\"dashed\"];\n") != std::string::npos);
}

TEST_CASE("A program without words has no blocks") {
  CHECK(basic_blocks(Program{}).empty());
}

}  // namespace nplab::reports
