// Matches of interfaces in nftables' JSON: `meta iifname "eth0"`.
#pragma once

#include <optional>
#include <string>

#include "workloads/rules/formats/nftables_match.h"

namespace nplab::workloads {

// `in` or `out` when the expression reads the name of that interface; else null.
const char* interface_side(const JsonValue& expression);

// Does a packet of the context's interfaces match `left op right`? `right` is a name, a list, a set
// or `@NAME` of a set. Nothing when `left` reads no interface that the context names, or `op` is
// neither `==` nor `!=`.
std::optional<bool> interface_matches(const JsonValue& left, const std::string& op,
                                      const JsonValue& right, const NftablesContext& context);

}  // namespace nplab::workloads
