#include "workloads/rules/formats/nftables_interface.h"

#include <algorithm>

namespace nplab::workloads {
namespace {

bool is_among(const std::string& own, const JsonValue& right, const NftablesContext& context) {
  const auto holds = [&](const JsonValue& list) {
    return std::any_of(list.items().begin(), list.items().end(),
                       [&](const JsonValue& item) { return is_among(own, item, context); });
  };
  if (const JsonValue* element = right.only("elem")) {
    const JsonValue* value = element->find("val");
    return value != nullptr && is_among(own, *value, context);
  }
  if (const JsonValue* set = right.only("set"))
    return is_among(own, *set, context);
  if (right.kind() == JsonValue::Kind::kList)
    return holds(right);
  if (right.text().starts_with('@')) {
    const auto named = context.sets.find(right.text().substr(1));
    const JsonValue* elements = named == context.sets.end() ? nullptr : named->second->find("elem");
    return elements != nullptr && is_among(own, *elements, context);
  }
  return names_interface(right.text(), '*', own);
}

}  // namespace

const char* interface_side(const JsonValue& expression) {
  const JsonValue* meta = expression.only("meta");
  const std::string key = meta == nullptr ? "" : meta->text_of("key");
  if (key == "iifname" || key == "iif")
    return "in";
  return key == "oifname" || key == "oif" ? "out" : nullptr;
}

std::optional<bool> interface_matches(const JsonValue& left, const std::string& op,
                                      const JsonValue& right, const NftablesContext& context) {
  const char* side = interface_side(left);
  if (side == nullptr)
    return std::nullopt;
  const auto& own = std::string_view(side) == "in" ? context.interfaces.in : context.interfaces.out;
  const bool negated = op == "!=";
  if (!own || (!negated && op != "==" && op != "in" && !op.empty()))
    return std::nullopt;
  return is_among(*own, right, context) != negated;
}

}  // namespace nplab::workloads
