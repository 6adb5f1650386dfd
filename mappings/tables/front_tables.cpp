#include "mappings/tables/front_tables.h"

#include <fmt/format.h>

#include "mappings/flow-cache/layout.h"

namespace nplab::mappings {

std::vector<TableSize> front_table_sizes(const ParameterValues& parameters) {
  const auto sets = std::uint64_t{1} << parameters.at("flow_sets_shift");
  const auto ways = static_cast<std::uint64_t>(parameters.at("flow_ways"));
  return {{"flows", sets * ways * FLOW_BYTES,
           fmt::format("{} sets x {} ways x {} bytes", sets, ways, FLOW_BYTES)},
          {"flow_version", FLOW_VERSION_BYTES, "one longword, of eight bytes"}};
}

}  // namespace nplab::mappings
