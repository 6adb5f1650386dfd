#include "experiments/studies/study_metrics.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/record/run_record_schema.h"
#include "support/near_miss.h"

namespace nplab::experiments {
namespace {

constexpr const char* kReferencesOf = "references.";
constexpr const char* kBytesOf = "table_bytes.";
constexpr const char* kBuilt = "built.";
constexpr std::array<std::string_view, 3> kLeftOut{"lines", "programs", "sources"};

std::optional<double> ratio(double value, double of) {
  if (of == 0)
    return std::nullopt;
  return value / of;
}

std::optional<double> per_packet(reports::Count references, const reports::RunRecord& record) {
  return ratio(static_cast<double>(references), static_cast<double>(record.packets.classified));
}

const reports::TableUse* find_table(const reports::RunRecord& record, const std::string& name) {
  const auto at = std::find_if(record.tables.begin(), record.tables.end(),
                               [&](const reports::TableUse& table) { return table.name == name; });
  return at == record.tables.end() ? nullptr : &*at;
}

std::optional<double> aborted_pct(const reports::RunRecord& record) {
  double aborted = 0, cycles = 0;
  for (const reports::Engine& engine : record.engines) {
    aborted += static_cast<double>(engine.cycles.aborted);
    cycles += static_cast<double>(record.cycles.core);
  }
  return ratio(100 * aborted, cycles);
}

std::optional<double> packets_per_s(const reports::RunRecord& record) {
  return ratio(static_cast<double>(record.packets.classified), record.simulated_seconds);
}

std::optional<double> references(const reports::RunRecord& record) {
  const reports::Memory& memory = record.memory;
  return per_packet(memory.sram.references + memory.sdram.references + memory.scratch.references,
                    record);
}

std::optional<double> table_bytes(const reports::RunRecord& record) {
  reports::Count bytes = 0;
  for (const reports::TableUse& table : record.tables)
    bytes += table.bytes;
  return static_cast<double>(bytes);
}

std::optional<double> latency_p50(const reports::RunRecord& record) {
  return static_cast<double>(record.latency_cycles.p50);
}

std::optional<double> share_of_verdicts(const reports::RunRecord& record,
                                        std::optional<reports::Count> verdicts) {
  if (!verdicts)
    return std::nullopt;
  const auto share =
      ratio(static_cast<double>(*verdicts), static_cast<double>(record.packets.classified));
  return share ? std::optional(100 * *share) : std::nullopt;
}

std::optional<double> cached_pct(const reports::RunRecord& record) {
  return share_of_verdicts(record, record.packets.cached);
}

std::optional<double> mega_flow_pct(const reports::RunRecord& record) {
  return share_of_verdicts(record, record.packets.mega_flow_hits);
}

// By whichever cache.
std::optional<double> known_pct(const reports::RunRecord& record) {
  const reports::Packets& packets = record.packets;
  if (!packets.cached && !packets.mega_flow_hits)
    return std::nullopt;
  return share_of_verdicts(record, packets.cached.value_or(0) + packets.mega_flow_hits.value_or(0));
}

std::optional<double> classification_p50(const reports::RunRecord& record) {
  if (!record.classification_cycles)
    return std::nullopt;
  return static_cast<double>(record.classification_cycles->p50);
}

std::optional<double> classification_p90(const reports::RunRecord& record) {
  if (!record.classification_cycles)
    return std::nullopt;
  return static_cast<double>(record.classification_cycles->p90);
}

std::optional<double> classification_p99(const reports::RunRecord& record) {
  if (!record.classification_cycles)
    return std::nullopt;
  return static_cast<double>(record.classification_cycles->p99);
}

std::optional<double> build_s(const reports::RunRecord& record) {
  return record.host.build_s;
}

std::optional<double> updates_done(const reports::RunRecord& record) {
  if (!record.updates)
    return std::nullopt;
  return static_cast<double>(record.updates->inserts + record.updates->deletes);
}

std::optional<double> updates_per_s(const reports::RunRecord& record) {
  if (!record.updates)
    return std::nullopt;
  return record.updates->updates_per_s;
}

std::optional<double> contested_packets(const reports::RunRecord& record) {
  if (!record.updates)
    return std::nullopt;
  return static_cast<double>(record.updates->contested_packets);
}

struct PlainMetric {
  const char* name;
  std::optional<double> (*of)(const reports::RunRecord& record);
};

constexpr std::array kPlainMetrics{PlainMetric{"packets_per_s", packets_per_s},
                                   PlainMetric{"references", references},
                                   PlainMetric{"latency_p50", latency_p50},
                                   PlainMetric{"cached_pct", cached_pct},
                                   PlainMetric{"mega_flow_pct", mega_flow_pct},
                                   PlainMetric{"known_pct", known_pct},
                                   PlainMetric{"classification_p50", classification_p50},
                                   PlainMetric{"classification_p90", classification_p90},
                                   PlainMetric{"classification_p99", classification_p99},
                                   PlainMetric{"aborted_pct", aborted_pct},
                                   PlainMetric{"build_s", build_s},
                                   PlainMetric{"table_bytes", table_bytes},
                                   PlainMetric{"updates", updates_done},
                                   PlainMetric{"updates_per_s", updates_per_s},
                                   PlainMetric{"contested_packets", contested_packets}};

using RecordJson = nlohmann::json;

const PlainMetric* find_plain(const std::string& name) {
  const auto metric = std::find_if(kPlainMetrics.begin(), kPlainMetrics.end(),
                                   [&](const PlainMetric& one) { return one.name == name; });
  return metric == kPlainMetrics.end() ? nullptr : &*metric;
}

bool has_tail(const std::string& name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() > prefix.size();
}

// `references.` and the like belong to a study before they are paths.
bool is_of_table_or_builder(const std::string& name) {
  return has_tail(name, kReferencesOf) || has_tail(name, kBytesOf) || has_tail(name, kBuilt);
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<std::size_t> index_of(const std::string& part) {
  std::size_t index = 0;
  const char* end = part.data() + part.size();
  const auto read = std::from_chars(part.data(), end, index);
  return read.ec == std::errc() && read.ptr == end ? std::optional(index) : std::nullopt;
}

std::vector<std::string> keys_in(const RecordJson& schema) {
  std::vector<std::string> keys;
  if (!schema.contains("properties"))
    return keys;
  for (const auto& property : schema.at("properties").items())
    keys.push_back(property.key());
  return keys;
}

const RecordJson& record_schema() {
  static const RecordJson kSchema = RecordJson::parse(reports::run_record_schema());
  return kSchema;
}

// Where the path ends in the schema of records; nothing, and `problem`, when it leaves it.
std::optional<RecordJson> schema_at(const std::string& path, std::string& problem) {
  const RecordJson* at = &record_schema();
  std::string so_far;
  for (const std::string& part : parts_of(path)) {
    const std::string in = so_far.empty() ? "the run record" : so_far;
    so_far += (so_far.empty() ? "" : ".") + part;
    if (at->contains("items")) {
      if (!index_of(part)) {
        problem = fmt::format("'{}' is a list: a number, 0 for its first item, stands for '{}'", in,
                              part);
        return std::nullopt;
      }
      at = &at->at("items");
    } else if (at->contains("additionalProperties") && at->at("additionalProperties").is_object()) {
      at = &at->at("additionalProperties");
    } else if (at->contains("properties") && at->at("properties").contains(part)) {
      at = &at->at("properties").at(part);
    } else {
      const auto known = keys_in(*at);
      problem =
          fmt::format("there is no '{}' in {}{}", part, in,
                      known.empty() ? ", which has no parts" : "; " + suggestion(part, known));
      return std::nullopt;
    }
  }
  return *at;
}

std::string path_problem(const std::string& path) {
  std::string problem;
  const auto schema = schema_at(path, problem);
  if (!schema)
    return problem;
  const std::string type = schema->value("type", "");
  if (type == "integer" || type == "number")
    return "";
  const auto known = keys_in(*schema);
  return "'" + path + "' is not a number" +
         (known.empty() ? "" : "; it has " + suggestion("", known));
}

std::optional<double> figure_at(const std::string& path, const RecordJson& record) {
  const RecordJson* at = &record;
  for (const std::string& part : parts_of(path)) {
    if (at->is_array()) {
      const auto index = index_of(part);
      if (!index || *index >= at->size())
        return std::nullopt;
      at = &at->at(*index);
    } else if (at->is_object() && at->contains(part)) {
      at = &at->at(part);
    } else {
      return std::nullopt;
    }
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::optional<double> named_metric(const std::string& name, const reports::RunRecord& record) {
  if (const PlainMetric* plain = find_plain(name))
    return plain->of(record);
  const std::string tail = name.substr(name.find('.') + 1);
  if (name.starts_with(kBuilt)) {
    const auto fact = record.built.find(tail);
    return fact == record.built.end() ? std::nullopt
                                      : std::optional(static_cast<double>(fact->second));
  }
  const reports::TableUse* table = find_table(record, tail);
  if (table == nullptr)
    return std::nullopt;
  return name.starts_with(kBytesOf) ? std::optional(static_cast<double>(table->bytes))
                                    : per_packet(table->references, record);
}

bool is_path(const std::string& name) {
  return find_plain(name) == nullptr && !is_of_table_or_builder(name);
}

}  // namespace

std::string study_metric_problem(const std::string& name) {
  if (!is_path(name))
    return "";
  const std::string first = name.substr(0, name.find('.'));
  if (std::find(kLeftOut.begin(), kLeftOut.end(), first) != kLeftOut.end())
    return "the records of a study are lean and have no '" + first + "'";
  std::string unknown;
  if (schema_at(first, unknown))
    return path_problem(name);
  std::vector<std::string> known = keys_in(record_schema());
  for (const PlainMetric& metric : kPlainMetrics)
    known.emplace_back(metric.name);
  return "there is no metric '" + name + "'; " + suggestion(first, known);
}

std::vector<std::optional<double>> study_metrics(const std::vector<std::string>& names,
                                                 const reports::RunRecord& record) {
  std::optional<RecordJson> as_json;  // made once, and only when a path needs it
  std::vector<std::optional<double>> figures;
  for (const std::string& name : names) {
    if (is_path(name) && !as_json)
      as_json = RecordJson::parse(reports::to_json(record, reports::JsonLayout::kCompact));
    figures.push_back(is_path(name) ? figure_at(name, *as_json) : named_metric(name, record));
  }
  return figures;
}

}  // namespace nplab::experiments
