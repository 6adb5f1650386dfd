#include "experiments/debugging/program_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace nplab::experiments {
namespace {

using isa::VariableType;
using TypeKind = VariableType::Kind;

constexpr std::uint32_t kMostScalarBits = 64;
constexpr std::uint32_t kMostParts = 1024;  // elements that are listed

bool is_signed(const Types& types, const VariableType& type) {
  if (type.kind == TypeKind::kEnumeration)
    return is_signed(types, resolved(types, type.element));
  return type.kind == TypeKind::kSigned;
}

std::variant<std::uint64_t, NoValue> bits_in_memory(const MemoryBits& place, std::uint32_t size,
                                                    const MachineReader& reader) {
  const std::uint32_t first = place.address & ~3u;
  const std::uint32_t skipped = (place.address & 3) * kByteBits + place.bit_offset;
  std::uint64_t value = 0;
  for (std::uint32_t at = skipped; at < skipped + size;) {
    const std::uint32_t within = at % kLongwordBits;
    const std::uint32_t count = std::min(kLongwordBits - within, skipped + size - at);
    const auto longword = reader.longword(place.space, first + at / kLongwordBits * 4);
    if (!longword)
      return NoValue{
          fmt::format("{}:{:#x} lies outside the memory", name_of(place.space), place.address)};
    const std::uint64_t bits = *longword >> (kLongwordBits - within - count);
    value = value << count | (bits & ((std::uint64_t{1} << count) - 1));
    at += count;
  }
  return value;
}

std::variant<std::uint64_t, NoValue> gathered_bits(const GatheredBits& bits, std::uint32_t size) {
  std::uint64_t value = 0;
  for (std::uint32_t bit = 0; bit < size; ++bit) {
    const std::uint32_t at = bits.bit_offset + bit;
    const std::uint32_t shift = 7 - at % kByteBits;
    if (at / kByteBits >= bits.bytes->values.size() ||
        (bits.bytes->known[at / kByteBits] >> shift & 1) == 0)
      return NoValue{"optimized out"};
    value = value << 1 | (bits.bytes->values[at / kByteBits] >> shift & 1);
  }
  return value;
}

std::uint64_t extended(std::uint64_t value, std::uint32_t bits) {
  const std::uint32_t unused = kMostScalarBits - bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

bool is_composite(const VariableType& type) {
  return type.kind == TypeKind::kStructure || type.kind == TypeKind::kUnion ||
         type.kind == TypeKind::kArray;
}

std::string number_text(const VariableType& type, std::uint64_t value, std::uint32_t bits,
                        bool is_negative_possible) {
  const std::uint64_t mask =
      bits >= kMostScalarBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (type.kind == TypeKind::kCharacter && value >= 0x20 && value < 0x7f)
    return fmt::format("{:#x} ({}, '{}')", value & mask, value, static_cast<char>(value));
  if (is_negative_possible)
    return fmt::format("{:#x} ({})", value & mask, static_cast<std::int64_t>(value));
  return fmt::format("{:#x} ({})", value & mask, value);
}

std::string enumerator_text(const VariableType& type, std::uint64_t value) {
  for (const VariableType::Enumerator& one : type.enumerators)
    if (one.value == static_cast<std::uint32_t>(value))
      return fmt::format("{} ({})", one.name, static_cast<std::int32_t>(value));
  return fmt::format("{}", static_cast<std::int32_t>(value));
}

// "{a: 1, b: 2}": the first scalars of a structure.
std::string composite_text(const Types& types, const ProgramObject& object,
                           const MachineReader& reader) {
  constexpr std::size_t kShown = 4;
  std::string text;
  const auto parts = parts_of(types, object, {}, reader);
  for (std::size_t i = 0; i < parts.size() && i < kShown; ++i)
    text += (i == 0 ? "" : ", ") +
            (resolved(types, object.type).kind == TypeKind::kArray ? "" : parts[i].name + ": ") +
            (is_composite(resolved(types, parts[i].object.type))
                 ? "{...}"
                 : object_text(types, parts[i].object, reader));
  return "{" + text + (parts.size() > kShown ? ", ...}" : "}");
}

GatheredBits::Bytes bytes_of(std::uint64_t value, std::uint32_t count) {
  GatheredBits::Bytes bytes;
  for (std::uint32_t i = count; i != 0; --i)
    bytes.values.push_back(static_cast<std::uint8_t>(value >> (kByteBits * (i - 1))));
  bytes.known.assign(count, 0xff);
  return bytes;
}

}  // namespace

const VariableType& resolved(const Types& types, std::uint32_t type) {
  while (types[type].kind == TypeKind::kAlias)
    type = types[type].element;
  return types[type];
}

std::string type_text(const Types& types, std::uint32_t number) {
  const VariableType& type = types[number];
  const auto tagged = [&](const char* keyword) {
    return type.name.empty() ? fmt::format("{} {{...}}", keyword)
                             : fmt::format("{} {}", keyword, type.name);
  };
  switch (type.kind) {
    case TypeKind::kStructure: return tagged("struct");
    case TypeKind::kUnion: return tagged("union");
    case TypeKind::kEnumeration: return tagged("enum");
    case TypeKind::kPointer:
      return fmt::format("{} __{} *", type_text(types, type.element), name_of(type.space));
    case TypeKind::kArray:
      return fmt::format("{}[{}]", type_text(types, type.element), type.elements);
    case TypeKind::kFunction: return "function";
    case TypeKind::kVoid: return "void";
    default: return type.name;
  }
}

ProgramObject object_in_memory(const Types& types, std::uint32_t type, MemoryBits place) {
  return {type, resolved(types, type).bytes * kByteBits, place};
}

ProgramObject object_of_value(const Types& types, std::uint32_t type, std::uint64_t value) {
  const std::uint32_t bytes = resolved(types, type).bytes;
  return {type, bytes * kByteBits,
          GatheredBits{std::make_shared<GatheredBits::Bytes>(bytes_of(value, bytes)), 0}};
}

ProgramObject object_in_register(const Types& types, std::uint32_t type, std::uint64_t value,
                                 isa::OperandCode code) {
  const std::uint32_t bytes = resolved(types, type).bytes;
  auto bits = std::make_shared<GatheredBits::Bytes>(bytes_of(value, bytes));
  bits->registers.push_back({0, bytes * kByteBits, Change::Kind::kRegister, code});
  return {type, bytes * kByteBits, GatheredBits{std::move(bits), 0}};
}

ProgramObject member_of(const ProgramObject& object, const VariableType::Member& member) {
  ProgramObject part = object;
  part.type = member.type;
  part.bit_size = member.bit_size;
  if (auto* memory = std::get_if<MemoryBits>(&part.bits)) {
    const std::uint32_t first = memory->bit_offset + member.bit_offset;
    memory->address += first / kByteBits;
    memory->bit_offset = first % kByteBits;
  } else {
    std::get<GatheredBits>(part.bits).bit_offset += member.bit_offset;
  }
  return part;
}

ProgramObject element_of(const Types& types, const ProgramObject& array, std::int64_t index) {
  const std::uint32_t type = resolved(types, array.type).element;
  const std::uint32_t bytes = resolved(types, type).bytes;
  return member_of(
      array, {{}, type, static_cast<std::uint32_t>(index) * bytes * kByteBits, bytes * kByteBits});
}

std::variant<std::uint64_t, NoValue> scalar_of(const Types& types, const ProgramObject& object,
                                               const MachineReader& reader) {
  const VariableType& type = resolved(types, object.type);
  if (is_composite(type) || object.bit_size > kMostScalarBits || object.bit_size == 0)
    return NoValue{
        fmt::format("a value of type {} is not a number", type_text(types, object.type))};
  const auto* memory = std::get_if<MemoryBits>(&object.bits);
  auto value = memory ? bits_in_memory(*memory, object.bit_size, reader)
                      : gathered_bits(std::get<GatheredBits>(object.bits), object.bit_size);
  if (auto* bits = std::get_if<std::uint64_t>(&value); bits && is_signed(types, type))
    *bits = extended(*bits, object.bit_size);
  return value;
}

std::string object_text(const Types& types, const ProgramObject& object,
                        const MachineReader& reader) {
  const VariableType& type = resolved(types, object.type);
  if (is_composite(type))
    return composite_text(types, object, reader);
  const auto found = scalar_of(types, object, reader);
  if (const auto* none = std::get_if<NoValue>(&found))
    return "<" + none->why + ">";
  const std::uint64_t value = std::get<std::uint64_t>(found);
  switch (type.kind) {
    case TypeKind::kBoolean: return value != 0 ? "true" : "false";
    case TypeKind::kEnumeration: return enumerator_text(type, value);
    case TypeKind::kPointer: return fmt::format("{}:{:#x}", name_of(type.space), value);
    default: return number_text(type, value, object.bit_size, is_signed(types, type));
  }
}

std::vector<ObjectPart> parts_of(const Types& types, const ProgramObject& object,
                                 const std::string& expression, const MachineReader& reader) {
  std::vector<ObjectPart> parts;
  const VariableType& type = resolved(types, object.type);
  if (type.kind == TypeKind::kStructure || type.kind == TypeKind::kUnion)
    for (const VariableType::Member& member : type.members)
      parts.push_back({member.name.empty() ? "(unnamed)" : member.name,
                       member.name.empty() ? expression : expression + "." + member.name,
                       member_of(object, member)});
  if (type.kind == TypeKind::kArray)
    for (std::uint32_t i = 0; i < std::min(type.elements, kMostParts); ++i)
      parts.push_back({fmt::format("[{}]", i), fmt::format("{}[{}]", expression, i),
                       element_of(types, object, i)});
  if (type.kind != TypeKind::kPointer || resolved(types, type.element).bytes == 0)
    return parts;
  const auto address = scalar_of(types, object, reader);
  if (const auto* value = std::get_if<std::uint64_t>(&address))
    parts.push_back({"*", fmt::format("(*{})", expression),
                     object_in_memory(types, type.element,
                                      {type.space, static_cast<std::uint32_t>(*value), 0})});
  return parts;
}

}  // namespace nplab::experiments
