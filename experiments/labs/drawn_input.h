// Inputs of a lab's programs that no student has seen: drawn from a seed, with the result that a
// right program has for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nplab::experiments {

struct DrawnInput {
  std::vector<std::uint32_t> longwords;
  std::uint32_t result = 0;
};

// Of the kinds `ipv4_header`, `table` and `seed_of_numbers`, as a lab.yaml names them; nothing for
// another one. `size` is the number of longwords of the table, or of numbers that are made of the
// seed; 0: 64 and 256. Equal arguments give equal inputs on every machine.
std::optional<DrawnInput> draw_input(const std::string& kind, std::size_t size, std::uint64_t seed);

// The kind's result in words: "the header's checksum".
std::string result_words(const std::string& kind);

}  // namespace nplab::experiments
