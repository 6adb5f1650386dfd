#include "experiments/debugging/stop_points.h"

#include <nlohmann/json.hpp>

namespace nplab::experiments {
namespace {

using nlohmann::json;

template <class T>
json optional_json(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_value(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

}  // namespace

void to_json(json& out, const StopPoints& stops) {
  out = {{"words", json::array()}, {"memory", json::array()}, {"chip", json::array()}};
  for (const WordStop& stop : stops.words)
    out["words"].push_back({stop.engine, optional_json(stop.context), stop.words, stop.id});
  for (const MemoryStop& stop : stops.memory)
    out["memory"].push_back({stop.space, stop.address, stop.bytes, stop.access, stop.id});
  for (const ChipStop& stop : stops.chip)
    out["chip"].push_back({stop.kind, stop.number, stop.limit, stop.id});
}

void from_json(const json& in, StopPoints& stops) {
  for (const json& stop : in.at("words"))
    stops.words.push_back({stop[0], optional_value<unsigned>(stop[1]), stop[2], stop[3]});
  for (const json& stop : in.at("memory"))
    stops.memory.push_back({stop[0], stop[1], stop[2], stop[3], stop[4]});
  for (const json& stop : in.at("chip"))
    stops.chip.push_back({stop[0], stop[1], stop[2], stop[3]});
}

void to_json(json& out, const Hit& hit) {
  out = {hit.at,
         hit.id,
         optional_json(hit.engine),
         optional_json(hit.context),
         optional_json(hit.word),
         hit.text};
}

void from_json(const json& in, Hit& hit) {
  hit = {in[0],
         in[1],
         optional_value<unsigned>(in[2]),
         optional_value<unsigned>(in[3]),
         optional_value<std::uint32_t>(in[4]),
         in[5]};
}

}  // namespace nplab::experiments
