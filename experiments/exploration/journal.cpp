#include "experiments/exploration/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/file_descriptor.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "nplab.explore-journal/1";

Json json_of(const Job& job, const Outcome& outcome) {
  Json line{{"point", job.point}, {"packets", job.packets}};
  if (!outcome.figures) {
    line["failure"] = outcome.failure;
    return line;
  }
  const MappingFigures& figures = *outcome.figures;
  line["packets_per_s"] = figures.packets_per_s;
  line["latency_cycles"] = {{"p50", figures.latency_p50_cycles},
                            {"p99", figures.latency_p99_cycles}};
  line["engines"] = figures.engines;
  line["bound"] = {{"resource", figures.bound.resource},
                   {"use_pct", figures.bound.use_pct},
                   {"gain_if_removed_pct", figures.bound.gain_if_removed_pct}};
  return line;
}

std::pair<Job, Outcome> from_json(const Json& line) {
  const Job job{line.at("point").get<Point>(), line.at("packets").get<std::uint64_t>()};
  if (line.contains("failure"))
    return {job, {std::nullopt, line.at("failure").get<std::string>()}};
  MappingFigures figures;
  figures.packets_per_s = line.at("packets_per_s").get<double>();
  figures.latency_p50_cycles = line.at("latency_cycles").at("p50").get<double>();
  figures.latency_p99_cycles = line.at("latency_cycles").at("p99").get<double>();
  figures.engines = line.at("engines").get<unsigned>();
  figures.bound = {line.at("bound").at("resource").get<std::string>(),
                   line.at("bound").at("use_pct").get<double>(),
                   line.at("bound").at("gain_if_removed_pct").get<double>()};
  return {job, {figures, ""}};
}

// False when the line could not be written.
bool append_line(const std::string& file, const std::string& line) {
  const FileDescriptor descriptor(
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  return descriptor.number() >= 0 && ::write(descriptor.number(), line.data(), line.size()) ==
                                         static_cast<::ssize_t>(line.size());
}

// Whether the first line is that of the search.
bool is_of(const std::string& first, const std::string& search) {
  const Json header = Json::parse(first, nullptr, false);
  return header.is_object() && header.value("schema", "") == kSchema &&
         header.value("search", "") == search;
}

}  // namespace

std::optional<Journal> Journal::open(const std::string& file, const std::string& search,
                                     Diagnostics& diagnostics) {
  Journal journal(file);
  std::ifstream stream(file);
  std::string line;
  if (!stream || !std::getline(stream, line)) {
    const std::string header = Json{{"schema", kSchema}, {"search", search}}.dump() + "\n";
    if (append_line(file, header))
      return journal;
    diagnostics.error({file, 0, 0}, "the journal of the search cannot be written");
    return std::nullopt;
  }
  if (!is_of(line, search)) {
    diagnostics.error({file, 1, 1},
                      "this journal is of another search: other rules, traffic, chip, space or "
                      "program; give --out another folder, or remove it");
    return std::nullopt;
  }
  while (std::getline(stream, line)) {
    if (stream.eof())
      append_line(file, "\n");  // cut short: what follows stands on a line of its own
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object())
      continue;
    auto [job, outcome] = from_json(json);
    journal.outcomes_[job] = std::move(outcome);
  }
  journal.resumed_ = journal.outcomes_.size();
  return journal;
}

const Outcome* Journal::find(const Job& job) const {
  const auto at = outcomes_.find(job);
  return at == outcomes_.end() ? nullptr : &at->second;
}

void Journal::append(const Job& job, const Outcome& outcome) const {
  append_line(file_, json_of(job, outcome).dump() + "\n");
}

}  // namespace nplab::experiments
