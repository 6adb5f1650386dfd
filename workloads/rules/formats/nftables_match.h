// Matches of nftables' JSON (libnftables-json(5)) as sets of headers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workloads/rules/formats/positioned_json.h"
#include "workloads/rules/header_set.h"

namespace nplab::workloads {

// What cannot be said by a 5-tuple, or is not written as the schema has it.
struct NftablesProblem {
  enum class Kind { kUnsupported, kMalformed };
  Kind kind = Kind::kUnsupported;
  SourceLocation location;
  std::string message;
};

// Named sets and maps of one table, by name.
using NftablesSets = std::map<std::string, const JsonValue*>;

// What a match refers to beside itself.
struct NftablesContext {
  const NftablesSets& sets;  // of its table
  const PacketInterfaces& interfaces;
};

using NftablesHeaders = std::variant<std::vector<HeaderSet>, NftablesProblem>;

// The headers of an expression (`{"payload": ...}`, `{"meta": ...}`, a `concat` of them) whose
// value is among `right`: a value, prefix, range, set or `@NAME` of a set.
NftablesHeaders headers_of(const JsonValue& expression, const JsonValue& right,
                           const NftablesContext& context);

// The headers that `{"op", "left", "right"}` matches. A match of an interface that the context
// names matches all headers or none.
NftablesHeaders headers_of_match(const JsonValue& match, const NftablesContext& context);

}  // namespace nplab::workloads
