// Sources as they are shipped, damaged at random: tokens and lines lost, doubled or exchanged,
// bytes flipped, words put in that ask for what a compiler or assembler may trip over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::test {

// C programs of the tests and labs.
std::vector<std::string> c_sources();
// Assembly of the tests, and what our compiler makes of the C programs.
std::vector<std::string> assembly_sources();

enum class SourceLanguage { kC, kAssembly };

// One of the sources with one damage or some; the same for the same seed.
std::string damaged_source(const std::vector<std::string>& sources, SourceLanguage language,
                           std::uint64_t seed);

}  // namespace nplab::test
