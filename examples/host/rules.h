// The host's rules: what it thinks that the chip classifies by.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

constexpr unsigned kFields = 3;
struct Rule {
  std::array<std::array<unsigned, 2>, kFields> ranges;  // low and high, both inside
};

// In decreasing priority. The first and the last stay in force; the others come and go.
inline const std::vector<Rule> kRules{
    {{{{10, 11}, {2, 4}, {8, 11}}}}, {{{{4, 6}, {8, 11}, {1, 4}}}}, {{{{9, 11}, {5, 7}, {12, 14}}}},
    {{{{6, 8}, {1, 3}, {5, 9}}}},    {{{{0, 7}, {0, 15}, {0, 7}}}}, {{{{4, 15}, {4, 15}, {4, 15}}}},
    {{{{0, 15}, {0, 15}, {0, 15}}}}};

// As nplab reads them. The fields' places are those of its published workload.
inline void write_rules(const std::string& path) {
  std::ofstream file(path);
  file << "fields:\n"
          "  - {name: source_address, bits: 4, match: range, at: {byte: 29, bit: 4}}\n"
          "  - {name: destination_address, bits: 4, match: range, at: {byte: 33, bit: 4}}\n"
          "  - {name: protocol, bits: 4, match: range, at: {byte: 23, bit: 4}}\n"
          "rules:\n";
  const char* const names[kFields] = {"source_address", "destination_address", "protocol"};
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    file << "  - {name: r" << i;
    for (unsigned field = 0; field < kFields; ++field)
      file << ", " << names[field] << ": " << kRules[i].ranges[field][0] << '-'
           << kRules[i].ranges[field][1];
    file << ", action: allow}\n";
  }
}

// The first rule in force that matches a frame.
inline std::optional<std::uint32_t> right_rule(const std::uint8_t* frame,
                                               const std::vector<bool>& in_force) {
  const unsigned key[kFields] = {frame[29] & 15u, frame[33] & 15u, frame[23] & 15u};
  for (std::uint32_t i = 0; i < kRules.size(); ++i) {
    bool matches = in_force[i];
    for (unsigned field = 0; field < kFields; ++field)
      matches = matches && kRules[i].ranges[field][0] <= key[field] &&
                key[field] <= kRules[i].ranges[field][1];
    if (matches)
      return i;
  }
  return std::nullopt;
}
