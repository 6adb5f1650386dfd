#include "experiments/studies/study_metrics.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace nplab::experiments {
namespace {

constexpr const char* kReferencesOf = "references.";
constexpr const char* kBytesOf = "table_bytes.";
constexpr const char* kBuilt = "built.";

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

std::optional<double> cached_pct(const reports::RunRecord& record) {
  if (!record.packets.cached)
    return std::nullopt;
  const auto share = ratio(static_cast<double>(*record.packets.cached),
                           static_cast<double>(record.packets.classified));
  return share ? std::optional(100 * *share) : std::nullopt;
}

std::optional<double> classification_p50(const reports::RunRecord& record) {
  if (!record.classification_cycles)
    return std::nullopt;
  return static_cast<double>(record.classification_cycles->p50);
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
                                   PlainMetric{"classification_p50", classification_p50},
                                   PlainMetric{"classification_p99", classification_p99},
                                   PlainMetric{"aborted_pct", aborted_pct},
                                   PlainMetric{"build_s", build_s},
                                   PlainMetric{"table_bytes", table_bytes},
                                   PlainMetric{"updates", updates_done},
                                   PlainMetric{"updates_per_s", updates_per_s},
                                   PlainMetric{"contested_packets", contested_packets}};

std::optional<double> plain_metric(const std::string& name, const reports::RunRecord& record) {
  const auto metric = std::find_if(kPlainMetrics.begin(), kPlainMetrics.end(),
                                   [&](const PlainMetric& one) { return one.name == name; });
  assert(metric != kPlainMetrics.end() && "a study's metrics are checked when it is read");
  return metric->of(record);
}

}  // namespace

const std::vector<std::string>& study_metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const PlainMetric& metric : kPlainMetrics)
      names.emplace_back(metric.name);
    return names;
  }();
  return kNames;
}

bool is_study_metric(const std::string& name) {
  const auto& names = study_metric_names();
  const auto has_tail = [&](const std::string& prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size();
  };
  return std::find(names.begin(), names.end(), name) != names.end() || has_tail(kReferencesOf) ||
         has_tail(kBytesOf) || has_tail(kBuilt);
}

std::optional<double> study_metric(const std::string& name, const reports::RunRecord& record) {
  const std::string tail = name.substr(name.find('.') + 1);
  if (name.starts_with(kBuilt)) {
    const auto fact = record.built.find(tail);
    return fact == record.built.end() ? std::nullopt
                                      : std::optional(static_cast<double>(fact->second));
  }
  if (!name.starts_with(kReferencesOf) && !name.starts_with(kBytesOf))
    return plain_metric(name, record);
  const reports::TableUse* table = find_table(record, tail);
  if (table == nullptr)
    return std::nullopt;
  return name.starts_with(kBytesOf) ? std::optional(static_cast<double>(table->bytes))
                                    : per_packet(table->references, record);
}

}  // namespace nplab::experiments
