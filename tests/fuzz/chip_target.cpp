#include <fstream>
#include <iterator>

#include "simulator/parameters/chip_description.h"
#include "tests/fuzz/runs.h"
#include "tests/fuzz/targets.h"
#include "tests/paths.h"
#include "tests/simulator/bench/random_program.h"

namespace nplab::test {

void fuzz_chip(Bytes input) {
  Diagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto root = yaml::parse(text, "fuzz.yaml", diagnostics);
  if (!root)
    return;
  const auto chip = simulator::read_chip(*root, diagnostics);
  if (!chip)
    return;
  RandomProgramOptions options;
  options.seed = 7;
  options.contexts = std::min(chip->engine.contexts, 4u);
  options.owner_of_registers = 0;
  options.free_lists = true;
  isa::ProgramImage image = random_program(options);
  if (image.words.size() > chip->engine.control_store_words)
    image.words.resize(chip->engine.control_store_words);
  run_hostile(*chip, image, 2'000);
}

std::vector<std::string> chip_seeds() {
  std::vector<std::string> seeds;
  for (const char* name : {"ixp1200", "test"}) {
    std::ifstream file(source_path("simulator/chips/") + name + ".yaml", std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

}  // namespace nplab::test
