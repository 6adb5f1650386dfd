// Which channel, rank, bank, row and column an address belongs to: a named order of the fields.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/dram/commands.h"

namespace nplab::simulator::dram {

enum class Field : std::uint8_t { kChannel, kRank, kGroup, kBank, kRow, kColumn };
inline constexpr unsigned kFields = 6;

struct MappingRow {
  std::string_view name;                // from the highest bits to the lowest
  std::array<Field, kFields> from_low;  // the lowest first, above the bytes of a burst
  bool permuted;  // bank and group are exclusive-ored with the lowest bits of the row
  std::string_view purpose;
};
// The default first. Another mapping is another row.
std::span<const MappingRow> mapping_rows();

// A number of mapping_rows().
enum class Mapping : std::uint8_t {};
std::vector<std::string> choice_words(Mapping mapping);

class AddressMapping {
 public:
  AddressMapping(Mapping mapping, const Organization& organization);

  struct Target {
    unsigned channel = 0;
    Place place;
  };
  // Of the burst with this number, counted in bursts from address 0; numbers beyond the memory wrap
  // around.
  [[nodiscard]] Target target(std::uint64_t burst) const;
  // Bursts of all channels.
  [[nodiscard]] std::uint64_t bursts() const { return bursts_; }

 private:
  struct Bits {
    unsigned shift = 0;
    std::uint64_t mask = 0;
  };
  [[nodiscard]] unsigned value(Field field, std::uint64_t burst) const {
    const Bits& bits = bits_[static_cast<unsigned>(field)];
    return static_cast<unsigned>(burst >> bits.shift & bits.mask);
  }

  std::array<Bits, kFields> bits_;
  bool permuted_;
  unsigned group_bits_;
  std::uint64_t bursts_;
};

}  // namespace nplab::simulator::dram
