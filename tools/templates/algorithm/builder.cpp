// Builds the rule records (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

TableSet build_@function@(const BuildInputs& inputs, Diagnostics&) {
  const TablePlace place = inputs.place("rules");
  const auto dimensions = static_cast<std::uint32_t>(inputs.rules.fields().size());
  TableSet set;
  std::uint32_t at = place.base;
  for (const workloads::Rule& rule : inputs.rules.rules()) {
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      set.image.put_longword(place.space, at + RECORD_LOW(d), static_cast<std::uint32_t>(rule.ranges[d].low));
      set.image.put_longword(place.space, at + RECORD_HIGH(d), static_cast<std::uint32_t>(rule.ranges[d].high));
    }
    set.image.put_longword(place.space, at + RECORD_ACTION(dimensions), action_word(rule.action));
    at += RECORD_BYTES(dimensions);
  }
  set.sizes.push_back({"rules", at - place.base, fmt::format("{} rules x {} bytes", inputs.rules.size(),
                                                             RECORD_BYTES(dimensions))});
  return set;
}

}  // namespace nplab::mappings
