#include "tools/options/memory_words.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "support/input_file.h"

namespace nplab::tools {
namespace {

std::optional<std::uint32_t> parse_longword(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  text.remove_prefix(is_hexadecimal ? 2 : 0);
  std::uint32_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != last)
    return std::nullopt;
  return value;
}

struct SpaceAndAddress {
  isa::MemorySpace space{};
  std::uint32_t address = 0;
  std::string rest;  // after the second colon
};

std::optional<SpaceAndAddress> parse_place(const std::string& text) {
  constexpr std::pair<const char*, isa::MemorySpace> kSpaces[] = {
      {"sram", isa::MemorySpace::kSram},
      {"sdram", isa::MemorySpace::kSdram},
      {"scratch", isa::MemorySpace::kScratch}};
  const auto first = text.find(':');
  const auto second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos)
    return std::nullopt;
  const auto address = parse_longword(std::string_view(text).substr(first + 1, second - first - 1));
  for (const auto& [name, space] : kSpaces)
    if (address && text.substr(0, first) == name)
      return SpaceAndAddress{space, *address, text.substr(second + 1)};
  return std::nullopt;
}

}  // namespace

std::optional<simulator::LongwordRange> parse_memory_range(const std::string& text,
                                                           Diagnostics& diagnostics) {
  const auto place = parse_place(text);
  const auto longwords = place ? parse_longword(place->rest) : std::nullopt;
  if (longwords)
    return simulator::LongwordRange{place->space, place->address, *longwords};
  diagnostics.error(
      without_lines("--memory " + text),
      "expected MEMORY:ADDRESS:LONGWORDS with sram, sdram or scratch, such as sram:0x100:8");
  return std::nullopt;
}

std::vector<simulator::InitialLongword> read_memory_contents(const std::string& text,
                                                             Diagnostics& diagnostics) {
  std::vector<simulator::InitialLongword> contents;
  const auto place = parse_place(text);
  if (!place) {
    diagnostics.error(
        without_lines("--load " + text),
        "expected MEMORY:ADDRESS:FILE with sram, sdram or scratch, such as sram:0x100:table.txt");
    return contents;
  }
  const auto file = read_input_file(place->rest, diagnostics);
  std::istringstream lines(file ? file->bytes : "");
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      const auto value = parse_longword(word);
      if (!value) {
        diagnostics.error(
            {place->rest, number, static_cast<int>(line.find(word)) + 1},
            fmt::format("expected a number of 32 bits, decimal or 0x, found '{}'", word));
        continue;
      }
      const auto offset = static_cast<std::uint32_t>(4 * contents.size());
      contents.push_back({place->space, place->address + offset, *value});
    }
  }
  return contents;
}

}  // namespace nplab::tools
