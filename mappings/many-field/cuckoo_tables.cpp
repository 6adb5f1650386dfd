#include "cuckoo_tables.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/hash_function.h"
#include "layout.h"

namespace nplab::mappings::many_field {
namespace {

constexpr std::uint64_t kMultiplier48 =
    std::uint64_t{HASH_48_MULTIPLIER_HIGH} << 32 | HASH_48_MULTIPLIER_LOW;
constexpr std::uint64_t kMultiplier64 =
    std::uint64_t{HASH_64_MULTIPLIER_HIGH} << 32 | HASH_64_MULTIPLIER_LOW;

// Puts the entry where it may lie, and what lay there where that may lie, and so on; whether that
// comes to an end.
bool insert(CuckooEntry entry, CuckooTable& table) {
  const unsigned most_moves = 64 + 8 * static_cast<unsigned>(std::bit_width(table.half));
  bool in_second = false;
  for (unsigned moves = 0; moves < most_moves; ++moves) {
    const auto [first, second] = slots_of(entry.value, table);
    std::swap(entry, table.slots[in_second ? second : first]);
    if (entry.vector == 0)
      return true;
    in_second = !in_second;
  }
  return false;
}

std::uint64_t absent_value(unsigned bits, const std::vector<CuckooEntry>& entries) {
  constexpr unsigned kLongword = 32;  // what engines compare of a short field
  if (bits < kLongword)
    return std::uint64_t{1} << bits;
  std::vector<std::uint64_t> values;
  for (const CuckooEntry& entry : entries)
    values.push_back(entry.value);
  std::sort(values.begin(), values.end());
  std::uint64_t absent = 0;
  for (const std::uint64_t value : values)
    absent += value == absent ? 1 : 0;
  return absent;
}

bool insert_all(const std::vector<CuckooEntry>& entries, CuckooTable& table) {
  for (const CuckooEntry& entry : entries) {
    if (!insert(entry, table))
      return false;
  }
  return true;
}

}  // namespace

std::pair<std::size_t, std::size_t> slots_of(std::uint64_t value, const CuckooTable& table) {
  const std::uint64_t hash = table.bits <= NARROW_HASH_BITS ? isa::hash_48(value, kMultiplier48)
                                                            : isa::hash_64(value, kMultiplier64);
  [[maybe_unused]] const auto high = static_cast<std::uint32_t>(hash >> 32);
  const auto low = static_cast<std::uint32_t>(hash);
  const auto mask = static_cast<std::uint32_t>((table.half - 1) * SLOT_BYTES);
  return {FIRST_SLOT(high, low, mask) / SLOT_BYTES,
          table.half + SECOND_SLOT(high, low, mask) / SLOT_BYTES};
}

std::optional<CuckooTable> make_cuckoo_table(unsigned bits, const std::vector<CuckooEntry>& entries,
                                             VectorNumber others) {
  for (std::size_t half = std::bit_ceil(entries.size() + (entries.empty() ? 1 : 0));
       half <= kMostSlots; half *= 2) {
    CuckooTable table{bits, others, half, absent_value(bits, entries),
                      std::vector<CuckooEntry>(2 * half)};
    if (insert_all(entries, table))
      return table;
  }
  return std::nullopt;
}

}  // namespace nplab::mappings::many_field
