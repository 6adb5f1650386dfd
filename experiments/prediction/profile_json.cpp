// The file form of a profile.
#include <nlohmann/json.hpp>

#include "experiments/prediction/algorithm_profile.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Calls `field(name, value)` for each figure of a demand.
template <class OfDemand, class Field>
void for_each_field(OfDemand& demand, const Field& field) {
  field("cycles", demand.cycles);
  field("aborted", demand.aborted);
  field("dispatches", demand.dispatches);
  field("burst_squares", demand.burst_squares);
  field("delay", demand.delay);
}

template <class OfUnit, class Field>
void for_each_unit_field(OfUnit& unit, const Field& field) {
  field("references", unit.references);
  field("joined", unit.joined);
  field("bus_cycles", unit.bus_cycles);
  field("writes", unit.writes);
}

Json to_json(const Demand& demand) {
  Json json;
  for_each_field(demand, [&](const char* name, double value) { json[name] = value; });
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    for_each_unit_field(demand.units[unit], [&](const char* name, double value) {
      json[kUnitNames[unit]][name] = value;
    });
  }
  return json;
}

Demand demand_from(const Json& json) {
  Demand demand;
  for_each_field(demand, [&](const char* name, double& value) { value = json.at(name); });
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    for_each_unit_field(demand.units[unit], [&](const char* name, double& value) {
      value = json.at(kUnitNames[unit]).at(name);
    });
  }
  return demand;
}

// Words as [operation, abort class, executed, aborted, delay].
Json to_json(const CodeProfile& code) {
  Json json = Json::object();
  for (const auto& [name, codes] : code) {
    for (const PartCode& part : codes) {
      Json lines = Json::object();
      for (const auto& [line, words] : part.lines) {
        for (const ProfiledWord& word : words)
          lines[line].push_back({static_cast<unsigned>(word.operation),
                                 static_cast<unsigned>(word.aborts), word.executed, word.aborted,
                                 word.delay});
      }
      json[name].push_back(
          {{"stage", part.stage}, {"references", part.references}, {"lines", lines}});
    }
  }
  return json;
}

PartCode part_code_from(const Json& json) {
  PartCode code{json.at("stage"), json.at("references"), {}};
  for (const auto& [line, words] : json.at("lines").items()) {
    for (const Json& word : words)
      code.lines[line].push_back({static_cast<isa::Operation>(word.at(0).get<unsigned>()),
                                  static_cast<isa::AbortClass>(word.at(1).get<unsigned>()),
                                  word.at(2), word.at(3), word.at(4)});
  }
  return code;
}

CodeProfile code_from(const Json& json) {
  CodeProfile code;
  for (const auto& [name, parts] : json.items()) {
    for (const Json& part : parts)
      code[name].push_back(part_code_from(part));
  }
  return code;
}

}  // namespace

std::string profile_to_json(const AlgorithmProfile& profile) {
  Json json = {{"schema", kDemandsSchema},
               {"algorithm", profile.algorithm},
               {"mapping", profile.mapping},
               {"packets", profile.packets},
               {"sent_share", profile.sent_share},
               {"frame_bytes", profile.frame_bytes},
               {"mpackets", profile.mpackets},
               {"same_bank_share", profile.same_bank_share},
               {"tasks_stages", profile.tasks_stages},
               {"seconds", profile.seconds},
               {"parts", Json::object()}};
  for (const auto& [name, demand] : profile.parts)
    json["parts"][name] = to_json(demand);
  json["own_programs"] = profile.own_programs;
  json["code"] = to_json(profile.code);
  return json.dump() + "\n";
}

std::optional<AlgorithmProfile> profile_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != kDemandsSchema)
      return std::nullopt;
    AlgorithmProfile profile;
    profile.algorithm = json.at("algorithm");
    profile.mapping = json.at("mapping");
    profile.packets = json.at("packets");
    profile.sent_share = json.at("sent_share");
    profile.frame_bytes = json.at("frame_bytes");
    profile.mpackets = json.at("mpackets");
    profile.same_bank_share = json.at("same_bank_share");
    profile.tasks_stages = json.at("tasks_stages");
    profile.seconds = json.at("seconds");
    for (const auto& [name, demand] : json.at("parts").items())
      profile.parts[name] = demand_from(demand);
    profile.own_programs = json.at("own_programs").get<std::set<std::string>>();
    profile.code = code_from(json.at("code"));
    return profile;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace nplab::experiments
