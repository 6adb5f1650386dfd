#include "rule_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout.h"
#include "mappings/include/verdict.h"

namespace nplab::mappings::tries {

void drop_hidden(const workloads::RuleSet& rules, hicuts::LeafRules& list) {
  const auto matches_all = [&](std::uint32_t rule) {
    for (std::size_t f = 2; f < rules.fields().size(); ++f) {
      if (rules.rules()[rule].ranges[f] != workloads::any_value(rules.fields()[f]))
        return false;
    }
    return true;
  };
  const auto first = std::find_if(list.begin(), list.end(), matches_all);
  if (first != list.end())
    list.erase(std::next(first), list.end());
}

TableSize lists_size(const std::string& table, const std::vector<hicuts::LeafRules>& lists) {
  std::uint64_t entries = lists.size();  // each list's end
  for (const auto& list : lists)
    entries += list.size();
  return {table, entries * LIST_ENTRY_BYTES,
          fmt::format("{} rule numbers and ends of {} different lists x {} bytes", entries,
                      lists.size(), LIST_ENTRY_BYTES)};
}

std::vector<std::uint32_t> write_lists(const std::vector<hicuts::LeafRules>& lists,
                                       const TablePlace& place, MemoryImage& image) {
  std::vector<std::uint32_t> addresses;
  std::uint32_t at = place.base;
  const auto put = [&](std::uint32_t value) {
    image.put_longword(place.space, at, value);
    at += LIST_ENTRY_BYTES;
  };
  for (const auto& list : lists) {
    addresses.push_back(at);
    for (const std::uint32_t rule : list)
      put(rule);
    put(NO_MATCH);
  }
  return addresses;
}

}  // namespace nplab::mappings::tries
