#include "searches.h"

#include <fmt/format.h>

#include <bit>

#include "layout.h"

namespace nplab::mappings::many_field {
namespace {

void check_superfield(const Search& search, const BuildInputs& inputs, Diagnostics& diagnostics) {
  if (search.bits <= WIDEST_SEARCH)
    return;
  diagnostics.error(search.location,
                    fmt::format("the superfield of {} has {} bits; a search takes up to {}",
                                field_names(search, inputs.rules), search.bits, WIDEST_SEARCH));
}

}  // namespace

std::string field_names(const Search& search, const workloads::RuleSet& rules) {
  std::string names;
  for (const std::uint32_t field : search.fields)
    names += (names.empty() ? "" : ", ") + rules.fields()[field].name;
  return names;
}

std::vector<Search> searches_of(const BuildInputs& inputs, Diagnostics& diagnostics) {
  const auto& fields = inputs.rules.fields();
  const std::uint32_t all = (1u << fields.size()) - 1;
  std::vector<std::pair<std::uint32_t, SourceLocation>> superfield_of(fields.size());
  for (unsigned number = 1; number <= SUPERFIELDS; ++number) {
    const std::string name = fmt::format("superfield_{}", number);
    const std::uint32_t members = static_cast<std::uint32_t>(inputs.parameter(name)) & all;
    if (std::popcount(members) < 2)
      continue;
    const SourceLocation& at = inputs.written_at.at(name);
    for (std::uint32_t d = 0; d < fields.size(); ++d) {
      if ((members >> d & 1) == 0)
        continue;
      if (superfield_of[d].first != 0)
        diagnostics.error(at, fmt::format("{}: field {} ('{}') is in another superfield already",
                                          name, d, fields[d].name));
      superfield_of[d] = {members, at};
    }
  }
  std::vector<Search> searches;
  for (std::uint32_t d = 0; d < fields.size(); ++d) {
    const auto& [members, at] = superfield_of[d];
    if (members == 0) {
      const bool is_hashed = fields[d].match == workloads::MatchKind::kExact;
      searches.push_back({{d}, is_hashed, fields[d].bits, {}});
    } else if ((members & ((1u << d) - 1)) == 0) {
      Search search{{}, false, 0, at};
      for (std::uint32_t other = d; other < fields.size(); ++other) {
        if ((members >> other & 1) == 0)
          continue;
        search.fields.push_back(other);
        search.bits += fields[other].bits;
      }
      check_superfield(search, inputs, diagnostics);
      searches.push_back(std::move(search));
    }
  }
  return searches;
}

}  // namespace nplab::mappings::many_field
