// Programs of constructs that Clang accepts (constructs.grammar).
#pragma once

#include <cstdint>
#include <string>

#include "tests/fuzz/constructs/grammar.h"

namespace nplab::test {

const Grammar& construct_grammar();

// One construct alone, its symbols drawn by the seed.
std::string program_of(const std::string& construct, std::uint64_t seed);

// One to four constructs, in loops, branches and functions.
std::string random_construct_program(std::uint64_t seed);

}  // namespace nplab::test
