#include "tools/debug_adapter/thread_numbers.h"

#include <fmt/format.h>

#include <charconv>

#include "experiments/debugging/expression.h"
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
  const std::int64_t at = *number + offset;
  if (at < 0 || at >> kEngineShift >= simulator::kMostEngines)
    return std::nullopt;
  return WordPlace{static_cast<unsigned>(at >> kEngineShift),
                   static_cast<std::uint32_t>(at) & kWordMask};
}

std::optional<MemoryPlace> memory_place(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    return std::nullopt;
  const auto space = experiments::memory_space_named(text.substr(0, colon));
  const auto address = isa::parse_number(text.substr(colon + 1));
  if (!space || !address || *address < 0 || *address > 0xfffffffc || *address % 4 != 0)
    return std::nullopt;
  return MemoryPlace{*space, static_cast<std::uint32_t>(*address)};
}

}  // namespace nplab::tools
