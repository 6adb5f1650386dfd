// Hand-written assembly beside what -O2 makes of the algorithm's C: cycles that an engine executes
// and aborts a round, on one thread of the test chip. Lower bounds are counted from what any
// program must do.
#include <catch2/catch.hpp>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "support/input_file.h"
#include "tests/chip_text.h"
#include "tests/compiler/compiled.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

using isa::MemorySpace;

const std::string kFolder = source_path("tests/compiler/handwritten/");

std::string text_of(const std::string& name, unsigned rounds) {
  Diagnostics diagnostics;
  const auto file = read_input_file(kFolder + name, diagnostics);
  REQUIRE(file);
  std::string text = file->bytes;
  const std::string word = "ROUNDS";
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
    text.replace(at, word.size(), std::to_string(rounds));
  return text;
}

isa::ProgramImage image_of(const std::string& name, unsigned rounds, const char* whole_record) {
  Diagnostics diagnostics;
  std::optional<isa::ProgramImage> image;
  if (name.ends_with(".s")) {
    const auto object = isa::assemble(text_of(name, rounds), name, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(object);
    image = isa::load_object(*object, name, {}, diagnostics);
  } else {
    auto options = options_at(compiler::Optimization::kO2);
    options.include_directories = {
        source_path("mappings/library"), source_path("mappings/linear-search"),
        source_path("mappings/bit-vector"), source_path("mappings/include")};
    options.defines = {std::string("WHOLE=") + whole_record};
    image = compiler::compile(text_of(name, rounds), name, options, diagnostics);
  }
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return *image;
}

void put(std::vector<simulator::InitialLongword>& memory, MemorySpace space, std::uint32_t address,
         const std::vector<std::uint32_t>& longwords) {
  for (const std::uint32_t longword : longwords) {
    memory.push_back({space, address, longword});
    address += 4;
  }
}

// Of fields 5, 6, 7 rules 0 and 1 miss at the first end, 2 and 3 at the second, 4 to 6 at the
// third, fourth and fifth; 7 matches. The vectors have rule 65 in common.
std::vector<simulator::InitialLongword> memory() {
  std::vector<simulator::InitialLongword> memory;
  constexpr std::uint32_t kList = 0x200000, kRecord = 36;
  const std::vector<std::vector<std::uint32_t>> ends = {
      {20, 30, 0, 9, 0, 9}, {9, 9, 0, 9, 0, 9}, {0, 3, 0, 9, 0, 9}, {0, 4, 0, 9, 0, 9},
      {0, 9, 8, 9, 0, 9},   {0, 9, 0, 2, 0, 9}, {0, 9, 0, 9, 9, 9}, {0, 9, 0, 9, 0, 9}};
  for (std::uint32_t rule = 0; rule != ends.size(); ++rule) {
    std::vector<std::uint32_t> record = ends[rule];
    record.insert(record.end(),
                  {1, 100 + rule, rule + 1 == ends.size() ? 0 : kList + (rule + 1) * kRecord});
    put(memory, MemorySpace::kSram, kList + rule * kRecord, record);
  }
  put(memory, MemorySpace::kSdram, 0x1000, {0xf0000000, 0, 0x40000000, 0});
  put(memory, MemorySpace::kSdram, 0x2000, {0x0f000000, 0xffffffff, 0x60000000, 0});
  put(memory, MemorySpace::kSdram, 0x3000, {0xffffffff, 0xffffffff, 0x40000000, 0});
  return memory;
}

struct Run {
  std::uint32_t value = 0;
  std::uint64_t cycles = 0;  // executing and aborted
};
Run run_rounds(const std::string& name, unsigned rounds, const char* whole_record) {
  Diagnostics diagnostics;
  const auto root = chip_text("test", diagnostics);
  simulator::ExecInputs inputs;
  inputs.chip = simulator::read_chip(root.value(), diagnostics).value();
  inputs.image = image_of(name, rounds, whole_record);
  inputs.memory = memory();
  const auto result = simulator::exec(inputs);
  if (result.fault)
    FAIL(result.fault->message);
  REQUIRE(result.ended);
  return {result.return_value, result.engines.front().executing + result.engines.front().aborted};
}

double cycles_a_round(const std::string& name, std::uint32_t value,
                      const char* whole_record = "1") {
  const Run few = run_rounds(name, 10, whole_record), many = run_rounds(name, 60, whole_record);
  CHECK(few.value == 10 * value);
  CHECK(many.value == 60 * value);
  return static_cast<double>(many.cycles - few.cycles) / 50;
}

// A rule that misses at its k-th end: 2 references (its longwords do not fit in one burst), the
// shadow of their wait, k subtractions and k branches, the shadow of the one that leaves (3,
// directly behind the setter of the codes; what can stand in it is of no use), 2 to find that the
// list goes on. k is 1, 1, 2, 2, 3, 4, 5. The rule that matches: the same wait and 6 ends. The
// round: a sum, a count, a branch.
constexpr double kLeastSearch = 7 * (3 + 3 + 2) + 2 * (1 + 1 + 2 + 2 + 3 + 4 + 5) + (3 + 2 * 6) + 3;
// Two quadwords of three vectors: 3 references and the shadow of their wait each. The first: 2 x (2
// ANDs and a branch), 3 to go on. The second: 2 ANDs, a branch that is taken, and its shadow of 3,
// as above. The bit: 2 tests, a shift, 2 sums. The round: offset, count, branch.
constexpr double kLeastIntersection = 2 * 4 + (2 * 3 + 3) + (2 + 1 + 3) + (2 + 1 + 2) + 3;

TEST_CASE(
    "the search of the list by hand is within 5 % of what counting allows, compiled within 10 % of "
    "the hand") {
  const double by_hand = cycles_a_round("ls.s", 107), compiled = cycles_a_round("ls.c", 107);
  INFO("by hand " << by_hand << " compiled " << compiled << " least " << kLeastSearch);
  CHECK(by_hand <= 1.05 * kLeastSearch);
  CHECK(compiled <= 1.1 * by_hand);
}

TEST_CASE(
    "the intersection by hand is within 5 % of what counting allows, compiled within 10 % of the "
    "hand") {
  const double by_hand = cycles_a_round("bv.s", 65), compiled = cycles_a_round("bv.c", 65);
  INFO("by hand " << by_hand << " compiled " << compiled << " least " << kLeastIntersection);
  CHECK(by_hand <= 1.05 * kLeastIntersection);
  CHECK(compiled <= 1.1 * by_hand);
}

}  // namespace
}  // namespace nplab::test
