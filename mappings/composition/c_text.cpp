#include "mappings/composition/c_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace nplab::mappings {

std::string memory_qualifier(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "__sram";
    case isa::MemorySpace::kSdram: return "__sdram";
    case isa::MemorySpace::kScratch: return "__scratch";
  }
  return "";
}

std::string metadata_variable(const MetadataElement& element) {
  return element.dimension ? fmt::format("{}_{}", element.name, *element.dimension) : element.name;
}

std::string field_variable(unsigned dimension) {
  return fmt::format("field_{}", dimension);
}

std::string high_field_variable(unsigned dimension) {
  return fmt::format("field_{}_high", dimension);
}

std::string indented(const std::string& text, unsigned depth) {
  std::string result, line;
  for (const char c : text) {
    line += c;
    if (c != '\n')
      continue;
    if (line.size() > 1 && line.front() != '#')
      result += std::string(2 * depth, ' ');
    result += line;
    line.clear();
  }
  return result + line;
}

std::string upper_case(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : std::toupper(c); });
  return upper;
}

std::string indexed_constant(const std::string& index, const std::vector<std::uint32_t>& values) {
  const std::uint32_t first = values.front();
  if (values.size() == 1)
    return fmt::format("{:#x}", first);
  const std::uint32_t step = values[1] - first;
  bool affine = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    affine = affine && values[i] == first + step * static_cast<std::uint32_t>(i);
  if (affine)
    return step == 0 ? fmt::format("{:#x}", first)
                     : fmt::format("({:#x} + {} * {:#x})", first, index, step);
  std::string chain;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    chain += fmt::format("{} == {} ? {:#x} : ", index, i, values[i]);
  return fmt::format("({}{:#x})", chain, values.back());
}

}  // namespace nplab::mappings
