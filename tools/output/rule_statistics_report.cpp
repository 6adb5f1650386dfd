#include "tools/output/rule_statistics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/output/rule_notes.h"

namespace nplab::tools {
namespace {

using Json = nlohmann::ordered_json;
using Counts = std::vector<std::pair<std::string, std::size_t>>;

constexpr std::size_t kPairsShown = 12;  // of prefix lengths; --json has all

std::string protocol_text(const std::optional<unsigned>& protocol) {
  return protocol ? std::to_string(*protocol) : "any";
}
std::string lengths_text(const workloads::TupleStatistics::LengthPair& pair) {
  return fmt::format("{}/{}", pair.first, pair.second);
}
std::string port_pair_text(const std::pair<workloads::PortClass, workloads::PortClass>& pair) {
  return fmt::format("{}-{}", name_of(pair.first), name_of(pair.second));
}
std::string port_text(workloads::PortClass ports) {
  return name_of(ports);
}
std::string itself(const std::string& text) {
  return text;
}

// The most frequent first; of equals, in the map's order.
template <typename Map, typename Name>
Counts by_frequency(const Map& map, Name name) {
  Counts counts;
  for (const auto& [key, count] : map)
    counts.push_back({name(key), count});
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return counts;
}

Json counts_json(const Counts& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts)
    json[name] = count;
  return json;
}

std::string line_of(const char* label, const Counts& counts, std::size_t rules, std::size_t shown) {
  std::string line = fmt::format("{:<24}", label);
  for (std::size_t i = 0; i < counts.size() && i < shown; ++i) {
    const double share = 100.0 * static_cast<double>(counts[i].second) / static_cast<double>(rules);
    line += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ", counts[i].first, share);
  }
  if (counts.size() > shown)
    line += fmt::format(", {} more", counts.size() - shown);
  return line + "\n";
}

std::string tuple_text(const workloads::TupleStatistics& tuples, std::size_t rules) {
  const std::size_t all = rules;
  return line_of("protocols", by_frequency(tuples.protocols, protocol_text), rules, all) +
         line_of("source ports", by_frequency(tuples.source_ports, port_text), rules, all) +
         line_of("destination ports", by_frequency(tuples.destination_ports, port_text), rules,
                 all) +
         line_of("port pairs", by_frequency(tuples.port_pairs, port_pair_text), rules, all) +
         line_of("prefix lengths", by_frequency(tuples.length_pairs, lengths_text), rules,
                 kPairsShown);
}

}  // namespace

std::string render_rule_statistics(const workloads::RuleSet& rules,
                                   const workloads::RuleStatistics& statistics) {
  const std::size_t count = statistics.rules;
  std::string text =
      fmt::format("{}: {} rules of {} fields\n\n", rules.name(), count, statistics.fields.size());
  text += fmt::format("{:<24}{:>10}{:>10}{:>12}{:>12}\n", "field", "distinct", "any", "intervals",
                      "worst case");
  for (const auto& field : statistics.fields) {
    text += fmt::format("{:<24}{:>10}{:>10}{:>12}{:>12}\n", field.name, field.distinct,
                        field.wildcards, field.intervals, field.intervals_at_worst);
  }
  text += "\n" + line_of("actions", by_frequency(statistics.actions, itself), count, count);
  if (statistics.five_tuple)
    text += tuple_text(*statistics.five_tuple, count);
  text += fmt::format("{:<24}{}\n", "tuples", statistics.tuples);
  text +=
      fmt::format("{:<24}{}, {:.2f} per rule\n", "overlapping pairs", statistics.overlapping_pairs,
                  static_cast<double>(statistics.overlapping_pairs) / static_cast<double>(count));
  text += fmt::format("{:<24}{}\n", "covered by earlier rule", statistics.covered);
  if (!rules.skipped().statements.empty())
    text += fmt::format("{:<24}{}\n", "statements", skipped_summary(rules.skipped()));
  return text;
}

Json rule_statistics_json(const workloads::RuleSet& rules,
                          const workloads::RuleStatistics& statistics) {
  Json json{{"schema", "nplab.rules/1"},
            {"name", rules.name()},
            {"sha256", rules.sha256()},
            {"rules", statistics.rules}};
  json["fields"] = Json::array();
  for (const auto& field : statistics.fields) {
    json["fields"].push_back({{"name", field.name},
                              {"distinct", field.distinct},
                              {"any", field.wildcards},
                              {"intervals", field.intervals},
                              {"intervals_at_worst", field.intervals_at_worst}});
  }
  json["actions"] = counts_json(by_frequency(statistics.actions, itself));
  if (const auto& tuples = statistics.five_tuple) {
    json["protocols"] = counts_json(by_frequency(tuples->protocols, protocol_text));
    json["source_ports"] = counts_json(by_frequency(tuples->source_ports, port_text));
    json["destination_ports"] = counts_json(by_frequency(tuples->destination_ports, port_text));
    json["port_pairs"] = counts_json(by_frequency(tuples->port_pairs, port_pair_text));
    json["prefix_lengths"] = counts_json(by_frequency(tuples->length_pairs, lengths_text));
  }
  json["tuples"] = statistics.tuples;
  json["overlapping_pairs"] = statistics.overlapping_pairs;
  json["covered"] = statistics.covered;
  const auto& skipped = rules.skipped();
  json["skipped"] = skipped.statements.size();
  json["statements"] = skipped.considered;
  json["unreached"] = skipped.unreached;
  return json;
}

}  // namespace nplab::tools
