#include "experiments/debugging/change.h"

#include <nlohmann/json.hpp>

namespace nplab::experiments {

using nlohmann::json;

void to_json(json& json, const Change& change) {
  json = {{"kind", change.kind},   {"engine", change.engine}, {"context", change.context},
          {"code", change.code},   {"space", change.space},   {"address", change.address},
          {"value", change.value}, {"bits", change.bits},     {"at", change.at}};
}

void from_json(const json& json, Change& change) {
  json.at("kind").get_to(change.kind);
  json.at("engine").get_to(change.engine);
  json.at("context").get_to(change.context);
  json.at("code").get_to(change.code);
  json.at("space").get_to(change.space);
  json.at("address").get_to(change.address);
  json.at("value").get_to(change.value);
  json.at("bits").get_to(change.bits);
  json.at("at").get_to(change.at);
}

void apply(const Change& change, const simulator::RunVisitor::View& view) {
  const auto changed = [&](std::uint32_t before) {
    return (before & ~change.bits) | (change.value & change.bits);
  };
  if (change.kind == Change::Kind::kMemory) {
    auto& storage = view.parts.storage(change.space);
    storage.poke(change.address, changed(storage.peek(change.address)));
    return;
  }
  simulator::Microengine& engine = *view.parts.engines.at(change.engine);
  const simulator::ContextId context(change.context);
  if (change.kind == Change::Kind::kRegister)
    engine.set_register(context, change.code, changed(engine.register_value(context, change.code)));
  else
    engine.set_written_register(context, change.code,
                                changed(engine.written_value(context, change.code)));
}

}  // namespace nplab::experiments
