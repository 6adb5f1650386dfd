#include "tests/simulator/bench/mixed_load.h"

#include <random>

#include "tests/simulator/bench/words.h"

namespace nplab::test {
namespace {

using namespace simulator;

// A block of straight-line arithmetic with a branch in it that depends on the data read last.
void add_block(std::vector<Word>& words, std::mt19937& random) {
  for (int i = 0; i < 6; ++i) {
    const auto function = static_cast<Alu>(std::array{0u, 1u, 5u, 8u, 9u}[random() % 5]);
    words.push_back(alu(a(random() % 8), a(random() % 8), function, b(random() % 8)));
    words.push_back(
        alu_shf(b(random() % 8), a(random() % 8), Alu::kOr, b(random() % 8), 3, 1 + random() % 31));
  }
  const auto here = static_cast<unsigned>(words.size());
  switch (random() % 3) {
    case 0: words.push_back(br_bset(sram_transfer(0), random() % 4, here + 4)); break;
    case 1:
      words.push_back(move(none, a(0)));
      words.push_back(br(If::kGreater, here + 4));
      break;
    default: words.push_back(br(If::kAlways, here + 3, 1)); break;
  }
  while (words.size() < here + 4)
    words.push_back(alu(a(random() % 8), a(random() % 8), Alu::kAdd, value(random() % 31)));
}

void add_reference(std::vector<Word>& words, std::mt19937& random) {
  const unsigned offset = 8 * (random() % 8);
  switch (random() % 8) {
    case 0:
      words.push_back(alu(sram_transfer(0), a(random() % 8), Alu::kXor, b(random() % 8)));
      words.push_back(
          reference({ReferenceUnit::kSram, 1, sram_transfer(0), a(9), value(offset), 1}));
      break;
    case 1:
      words.push_back(reference({ReferenceUnit::kScratch, 6, none, a(9), value(offset), 1}));
      break;
    case 2:
      words.push_back(
          reference({ReferenceUnit::kScratch, 0, sram_transfer(0), a(9), value(offset), 2}));
      break;
    case 3:
    case 4:
      words.push_back(
          reference({ReferenceUnit::kSdram, 0, sdram_transfer(0), a(9), value(offset), 4}));
      break;
    default:
      words.push_back(
          reference({ReferenceUnit::kSram, 0, sram_transfer(0), a(9), value(offset), 2}));
      break;
  }
}

}  // namespace

SimulationInputs mixed_load(const ChipDescription& chip) {
  SimulationInputs inputs;
  inputs.chip = chip;
  for (unsigned engine = 0; engine < chip.engine.engines; ++engine) {
    std::mt19937 random(engine);
    std::vector<Word> words{immed(a(9), 0x100 * engine)};
    while (words.size() < 600) {
      add_block(words, random);
      add_reference(words, random);
    }
    words.push_back(br(If::kAlways, 1));
    inputs.engines.push_back(
        LoadedProgram{program(words), {ContextId(0), ContextId(1), ContextId(2), ContextId(3)}});
  }
  return inputs;
}

}  // namespace nplab::test
