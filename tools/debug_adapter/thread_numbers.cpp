#include "tools/debug_adapter/thread_numbers.h"

#include <fmt/format.h>

#include <charconv>

#include "experiments/debugging/machine_reader.h"
#include "isa/operand_text.h"

namespace nplab::tools {
namespace {

constexpr unsigned kEngineShift = 16;
constexpr std::uint32_t kWordMask = 0xffff;

std::optional<unsigned> small_number(const std::string& text) {
  unsigned value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = !text.empty() && end.ec == std::errc() && *end.ptr == '\0';
  return is_number ? std::optional(value) : std::nullopt;
}

// "sram:0x100".
struct NamedAddress {
  std::string name;
  std::uint32_t address = 0;
};
std::optional<NamedAddress> split_place(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    return std::nullopt;
  const auto address = isa::parse_number(text.substr(colon + 1));
  if (!address || *address < 0 || *address > 0xfffffffc || *address % 4 != 0)
    return std::nullopt;
  return NamedAddress{text.substr(0, colon), static_cast<std::uint32_t>(*address)};
}

}  // namespace

std::string thread_name(unsigned number) {
  const ThreadNumber thread = thread_number(number);
  return fmt::format("{}.{}", thread.engine, thread.context);
}

std::optional<unsigned> thread_named(const std::string& name) {
  const auto dot = name.find('.');
  if (dot == std::string::npos)
    return std::nullopt;
  const auto engine = small_number(name.substr(0, dot));
  const auto context = small_number(name.substr(dot + 1));
  if (!engine || !context || *engine >= simulator::kMostEngines ||
      *context >= simulator::kMostContexts)
    return std::nullopt;
  return number_of({*engine, *context});
}

std::string address_of(WordPlace place) {
  return fmt::format("{:#x}", (std::uint64_t{place.engine} << kEngineShift) + place.word);
}

std::optional<WordPlace> place_of_address(const std::string& address, std::int64_t offset) {
  const auto number = isa::parse_number(address);
  if (!number)
    return std::nullopt;
  if (*number < 0 || *number > 0xffffffff)
    return std::nullopt;
  const std::int64_t at = *number + offset;
  if (at < 0 || at >> kEngineShift >= simulator::kMostEngines)
    return std::nullopt;
  return WordPlace{static_cast<unsigned>(at >> kEngineShift),
                   static_cast<std::uint32_t>(at) & kWordMask};
}

std::optional<MemoryPlace> memory_place(const std::string& text) {
  const auto place = split_place(text);
  const auto space = place ? experiments::memory_space_named(place->name) : std::nullopt;
  return space ? std::optional(MemoryPlace{*space, place->address}) : std::nullopt;
}

std::string memory_text(MemoryPlace place) {
  return fmt::format("{}:{:#x}", experiments::name_of(place.space), place.address);
}

std::optional<FifoPlace> fifo_place(const std::string& text) {
  const auto place = split_place(text);
  const bool is_fifo = place && (place->name == "rfifo" || place->name == "tfifo");
  return is_fifo ? std::optional(FifoPlace{place->name, place->address}) : std::nullopt;
}

experiments::MemoryAccess access_named(const std::string& name) {
  using experiments::MemoryAccess;
  if (name == "read")
    return MemoryAccess::kRead;
  return name == "readWrite" ? MemoryAccess::kReadOrWrite : MemoryAccess::kWrite;
}

}  // namespace nplab::tools
