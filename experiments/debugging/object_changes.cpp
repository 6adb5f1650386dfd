#include "experiments/debugging/object_changes.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::experiments {
namespace {

using TypeKind = isa::VariableType::Kind;
using Changes = std::vector<Change>;

// Bit `shift` of the longword in the place of `same` becomes the value's.
void add_bit(Changes& changes, const Change& same, std::uint32_t shift, bool is_set) {
  auto found = std::find_if(changes.begin(), changes.end(), [&](const Change& other) {
    return other.kind == same.kind && other.code == same.code && other.address == same.address;
  });
  if (found == changes.end()) {
    changes.push_back(same);
    found = std::prev(changes.end());
    found->bits = 0;
  }
  found->bits |= 1u << shift;
  found->value |= (is_set ? 1u : 0u) << shift;
}

std::variant<Changes, NoValue> in_memory(const MemoryBits& place, std::uint32_t size,
                                         std::uint64_t value, const MachineReader& reader) {
  Changes changes;
  const std::uint32_t skipped = (place.address & 3) * kByteBits + place.bit_offset;
  for (std::uint32_t bit = 0; bit < size; ++bit) {
    const std::uint32_t at = skipped + bit;
    Change longword;
    longword.kind = Change::Kind::kMemory;
    longword.space = place.space;
    longword.address = (place.address & ~3u) + at / kLongwordBits * 4;
    if (!reader.longword(place.space, longword.address))
      return NoValue{
          fmt::format("{}:{:#x} lies outside the memory", name_of(place.space), place.address)};
    add_bit(changes, longword, kLongwordBits - 1 - at % kLongwordBits,
            (value >> (size - 1 - bit) & 1) != 0);
  }
  return changes;
}

bool is_known(const GatheredBits::Bytes& bytes, std::uint32_t bit) {
  const std::uint32_t byte = bit / kByteBits;
  return byte < bytes.known.size() && (bytes.known[byte] >> (7 - bit % kByteBits) & 1) != 0;
}

std::variant<Changes, NoValue> in_registers(const GatheredBits& bits, std::uint32_t size,
                                            std::uint64_t value) {
  Changes changes;
  const auto& registers = bits.bytes->registers;
  for (std::uint32_t bit = 0; bit < size; ++bit) {
    const std::uint32_t at = bits.bit_offset + bit;
    const auto holder = std::find_if(registers.begin(), registers.end(), [&](const auto& one) {
      return one.bit_offset <= at && at < one.bit_offset + one.bit_size;
    });
    if (holder == registers.end() && !is_known(*bits.bytes, at))
      return NoValue{"it is optimized out"};
    if (holder == registers.end())
      return NoValue{"no register and no memory holds just this value"};
    Change longword;
    longword.kind = holder->kind;
    longword.code = holder->code;
    add_bit(changes, longword, holder->bit_offset + holder->bit_size - 1 - at,
            (value >> (size - 1 - bit) & 1) != 0);
  }
  return changes;
}

}  // namespace

std::variant<Changes, NoValue> changes_to(const Types& types, const ProgramObject& object,
                                          std::uint64_t value, const MachineReader& reader) {
  constexpr std::uint32_t kMostScalarBits = 64;
  const TypeKind kind = resolved(types, object.type).kind;
  if (kind == TypeKind::kStructure || kind == TypeKind::kUnion || kind == TypeKind::kArray ||
      object.bit_size == 0 || object.bit_size > kMostScalarBits)
    return NoValue{fmt::format("a value of type {} is not a number; change its parts",
                               type_text(types, object.type))};
  if (kind == TypeKind::kBoolean)
    value = value != 0 ? 1 : 0;
  const auto* memory = std::get_if<MemoryBits>(&object.bits);
  return memory ? in_memory(*memory, object.bit_size, value, reader)
                : in_registers(std::get<GatheredBits>(object.bits), object.bit_size, value);
}

}  // namespace nplab::experiments
