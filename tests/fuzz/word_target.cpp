#include <algorithm>
#include <cstring>

#include "support/input_file.h"
#include "tests/fuzz/runs.h"
#include "tests/fuzz/targets.h"
#include "tests/paths.h"
#include "tests/simulator/bench/random_program.h"

namespace nplab::test {
namespace {

constexpr std::size_t kMostWords = 1024;
constexpr std::size_t kChangeBytes = 11;  // kind of change, position (2), mask (8)

const simulator::ChipDescription& chip() {
  static const simulator::ChipDescription description = [] {
    Diagnostics diagnostics;
    const auto file = read_input_file(source_path("simulator/chips/ixp1200.yaml"), diagnostics);
    return *simulator::read_chip(*yaml::parse(file->bytes, file->name, diagnostics), diagnostics);
  }();
  return description;
}

std::uint64_t longword_pair(Bytes bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof value));
  return value;
}

isa::ProgramImage words_themselves(Bytes input) {
  isa::ProgramImage image;
  for (; input.size() >= 8 && image.words.size() < kMostWords; input = input.subspan(8))
    image.words.push_back(longword_pair(input));
  return image;
}

// Bits of words flip, or annotations appear.
isa::ProgramImage changed_program(Bytes input) {
  RandomProgramOptions options;
  options.seed = input.empty() ? 0 : input[0];
  options.contexts = 2;
  options.owner_of_registers = 0;
  options.free_lists = true;
  isa::ProgramImage image = random_program(options);
  for (input = input.subspan(std::min<std::size_t>(1, input.size())); input.size() >= kChangeBytes;
       input = input.subspan(kChangeBytes)) {
    const std::size_t at = (input[1] | std::size_t{input[2]} << 8) % image.words.size();
    const std::uint64_t mask = longword_pair(input.subspan(3));
    if (input[0] % 4 == 0) {
      const auto kind = static_cast<isa::Annotation::Kind>(1 + input[0] / 4 % 8);
      image.annotations.push_back({static_cast<std::uint32_t>(at), kind,
                                   static_cast<std::uint16_t>(mask & 0x7ff),
                                   static_cast<std::uint16_t>(mask >> 11 & 0x7ff)});
    } else if (input[0] % 4 == 1) {
      image.words[at] = mask;
    } else {
      image.words[at] ^= std::uint64_t{1} << mask % 64;
    }
  }
  return image;
}

}  // namespace

void fuzz_words(Bytes input) {
  if (input.empty())
    return;
  const isa::ProgramImage image =
      input[0] % 4 == 0 ? words_themselves(input.subspan(1)) : changed_program(input.subspan(1));
  if (!image.words.empty())
    run_hostile(chip(), image, 4'000);
}

std::vector<std::string> words_seeds() {
  std::vector<std::string> seeds;
  for (unsigned seed = 0; seed < 8; ++seed)
    seeds.push_back({1, static_cast<char>(seed), 2, 40, 0, 1});
  std::string raw(1, 0);
  for (const std::uint64_t word :
       random_program({.seed = 1, .contexts = 1, .words_a_context = 30}).words)
    raw.append(reinterpret_cast<const char*>(&word), sizeof word);
  seeds.push_back(raw);
  return seeds;
}

}  // namespace nplab::test
