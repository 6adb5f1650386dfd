// What is fed with bytes of no meaning: an object file, a chip file, control-store words. Whatever
// they are, the answer is diagnostics or a simulated fault; assertions and sanitizers say when it
// is not. A target throws when a run's own sums do not hold.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nplab::test {

using Bytes = std::span<const std::uint8_t>;

void fuzz_object(Bytes input);
// A chip that is accepted runs a small program.
void fuzz_chip(Bytes input);
// One byte chooses how the others become programs for two engines on a chip with ports and traffic:
// as the words themselves, or as changes of a random program's.
void fuzz_words(Bytes input);

// Inputs from which to start: files as they should be.
std::vector<std::string> object_seeds();
std::vector<std::string> chip_seeds();
std::vector<std::string> words_seeds();

}  // namespace nplab::test
