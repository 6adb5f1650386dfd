#include "experiments/prediction/prediction_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const PredictedStage& stage) {
  Json references;
  for (std::size_t unit = 0; unit < kUnits; ++unit)
    references[kUnitNames[unit]] = stage.work.units[unit].references;
  return {{"stage", stage.stage},
          {"threads", stage.threads},
          {"cycles", stage.work.cycles},
          {"aborted", stage.work.aborted},
          {"dispatches", stage.work.dispatches},
          {"delay_cycles", stage.work.delay},
          {"references", references},
          {"response_cycles", stage.response},
          {"load_pct", stage.load_pct}};
}

Json to_json(const Prediction& prediction) {
  Json uses = Json::array();
  for (const ResourceUse& use : prediction.uses)
    uses.push_back({{"resource", use.resource},
                    {"use_pct", use.use_pct},
                    {"useful_pct", use.useful_pct},
                    {"polling_pct", use.polling_pct},
                    {"aborted_pct", use.aborted_pct}});
  Json stages = Json::array();
  for (const PredictedStage& stage : prediction.stages)
    stages.push_back(to_json(stage));
  return {{"mapping", prediction.mapping},
          {"packets_per_s", prediction.packets_per_s},
          {"rates_mbps",
           {{"receive", prediction.receive_mbps}, {"transmit", prediction.transmit_mbps}}},
          {"latency_cycles", {{"p50", prediction.latency_p50_cycles}}},
          {"uses", uses},
          {"stages", stages},
          {"bound",
           {{"resource", prediction.bound.resource},
            {"use_pct", prediction.bound.use_pct},
            {"gain_if_removed_pct", prediction.bound.gain_if_removed_pct}}}};
}

std::string heading(const Prediction& prediction) {
  return fmt::format(
      "{}: {:.0f} packets/s, receive {:.1f} Mb/s, transmit {:.1f} Mb/s, median latency {:.0f} "
      "cycles\n",
      prediction.mapping, prediction.packets_per_s, prediction.receive_mbps,
      prediction.transmit_mbps, prediction.latency_p50_cycles);
}

std::string bound_sentence(const PredictedBound& bound) {
  if (bound.gain_if_removed_pct < 0.05)
    return "  no single resource bounds it: without any one of them the rate stays the same\n";
  return fmt::format("  bound: {}, used {:.1f} %; without its cost {:.1f} % more packets/s\n",
                     bound.resource, bound.use_pct, bound.gain_if_removed_pct);
}

std::string table(const std::vector<ResourceUse>& uses) {
  std::string text = fmt::format("  {:<12} {:>7} {:>9} {:>10} {:>10}\n", "resource", "used %",
                                 "useful %", "polling %", "aborted %");
  for (const ResourceUse& use : uses)
    text += fmt::format("  {:<12} {:>7.1f} {:>9.1f} {:>10.1f} {:>10.1f}\n", use.resource,
                        use.use_pct, use.useful_pct, use.polling_pct, use.aborted_pct);
  return text;
}

// Of a packet at each stage, in cycles and references.
std::string table(const std::vector<PredictedStage>& stages) {
  std::string text = fmt::format("  {:<16} {:>7} {:>7} {:>7} {:>7} {:>7}", "stage", "threads",
                                 "cycles", "aborted", "swaps", "delay");
  for (const char* unit : kUnitNames)
    text += fmt::format(" {:>7}", unit);
  text += fmt::format(" {:>8} {:>7}\n", "response", "load %");
  for (const PredictedStage& stage : stages) {
    const Demand& work = stage.work;
    text += fmt::format("  {:<16} {:>7} {:>7.1f} {:>7.1f} {:>7.2f} {:>7.1f}", stage.stage,
                        stage.threads, work.cycles, work.aborted, work.dispatches, work.delay);
    for (const UnitDemand& unit : work.units)
      text += fmt::format(" {:>7.2f}", unit.references);
    text += fmt::format(" {:>8.1f} {:>7.1f}\n", stage.response, stage.load_pct);
  }
  return text;
}

Json number() {
  return {{"type", "number"}};
}

Json object_of(const Json& properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items())
    required.push_back(name);
  return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

}  // namespace

std::string predictions_json(const std::vector<Prediction>& predictions,
                             const ProfileUse& profile) {
  Json list = Json::array();
  for (const Prediction& prediction : predictions)
    list.push_back(to_json(prediction));
  const Json json = {
      {"schema", kPredictSchema},
      {"predictions", list},
      {"profile",
       {{"packets", profile.packets}, {"seconds", profile.seconds}, {"cached", profile.cached}}}};
  return json.dump(2) + "\n";
}

std::string render_predictions(const std::vector<Prediction>& predictions,
                               const ProfileUse& profile, ShownDemands demands) {
  std::string text;
  for (const Prediction& prediction : predictions) {
    text += heading(prediction) + bound_sentence(prediction.bound) + table(prediction.uses) + "\n";
    if (demands == ShownDemands::kStages)
      text += table(prediction.stages) + "\n";
  }
  const char* origin = profile.cached ? "read from the cache" : "measured now";
  return text + fmt::format("profile: {} packets simulated, {}\n", profile.packets, origin);
}

std::string predict_schema() {
  const Json text = {{"type", "string"}};
  const Json use = object_of({{"resource", text},
                              {"use_pct", number()},
                              {"useful_pct", number()},
                              {"polling_pct", number()},
                              {"aborted_pct", number()}});
  Json references;
  for (const char* unit : kUnitNames)
    references[unit] = number();
  const Json stage = object_of({{"stage", text},
                                {"threads", {{"type", "integer"}}},
                                {"cycles", number()},
                                {"aborted", number()},
                                {"dispatches", number()},
                                {"delay_cycles", number()},
                                {"references", object_of(references)},
                                {"response_cycles", number()},
                                {"load_pct", number()}});
  const Json prediction =
      object_of({{"mapping", text},
                 {"packets_per_s", number()},
                 {"rates_mbps", object_of({{"receive", number()}, {"transmit", number()}})},
                 {"latency_cycles", object_of({{"p50", number()}})},
                 {"uses", list_of(use)},
                 {"stages", list_of(stage)},
                 {"bound", object_of({{"resource", text},
                                      {"use_pct", number()},
                                      {"gain_if_removed_pct", number()}})}});
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "nplab predictions"}};
  schema.update(object_of({{"schema", {{"const", kPredictSchema}}},
                           {"predictions", list_of(prediction)},
                           {"profile", object_of({{"packets", {{"type", "integer"}}},
                                                  {"seconds", number()},
                                                  {"cached", {{"type", "boolean"}}}})}}));
  return schema.dump(2) + "\n";
}

}  // namespace nplab::experiments
