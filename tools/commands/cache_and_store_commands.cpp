// What is kept between runs. nplab cache: compiled programs and profiles, which nplab keeps by
// itself. nplab store: results, which a user keeps in a folder.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "experiments/prediction/profile_cache.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/program_identity.h"
#include "experiments/prepare/run_key.h"
#include "experiments/run/result_store.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"

namespace nplab::tools {

using namespace experiments;
namespace {

constexpr const char* kNoCache =
    "nplab cache: nothing is kept: NPLAB_CACHE is `off`, or none of NPLAB_CACHE, "
    "XDG_CACHE_HOME and HOME names a folder\n";

// Compiled programs, and profiles of predictions; none when nothing is kept.
std::vector<ContentCache> caches() {
  std::vector<ContentCache> caches;
  for (const auto& cache : {experiments::program_cache(), experiments::profile_cache()})
    if (cache)
      caches.push_back(*cache);
  return caches;
}

int show_caches() {
  const auto kept = caches();
  if (kept.empty())
    std::cout << kNoCache;
  for (const ContentCache& cache : kept) {
    const ContentCache::Size size = cache.size();
    std::cout << fmt::format("folder   {}\nentries  {}\nbytes    {} of at most {}\n",
                             cache.folder().string(), size.entries, size.bytes, cache.most_bytes());
  }
  return kDone;
}

int clear_caches() {
  const auto kept = caches();
  if (kept.empty()) {
    std::cout << kNoCache;
    return kDone;
  }
  ContentCache::Size removed;
  int status = kDone;
  for (const ContentCache& cache : kept) {
    const ContentCache::Size one = cache.clear();
    removed.entries += one.entries;
    removed.bytes += one.bytes;
    if (const ContentCache::Size left = cache.size(); left.entries != 0) {
      std::cerr << fmt::format("{}: error: {} entries cannot be removed\n", cache.folder().string(),
                               left.entries);
      status = kBadInput;
    }
  }
  std::cout << fmt::format("removed {} entries, {} bytes\n", removed.entries, removed.bytes);
  return status;
}

struct StoreOptions {
  std::string folder;
  std::string runs;  // file of command lines
  bool dry_run = false;
};

// A store is made by a run; here it has to be there.
std::optional<ResultStore> existing_store(const StoreOptions& options) {
  Diagnostics diagnostics;
  if (!std::filesystem::is_directory(options.folder))
    diagnostics.error(without_lines(options.folder),
                      "no such folder; `nplab run MAPPING --store DIR` makes one");
  auto store =
      diagnostics.has_errors() ? std::nullopt : ResultStore::open(options.folder, diagnostics);
  std::cerr << diagnostics.to_string();
  return store;
}

constexpr std::size_t kShownDigits = 16;  // of a key

int list_results(const StoreOptions& options) {
  const auto store = existing_store(options);
  if (!store)
    return kBadInput;
  const auto results = store->results();
  if (!results.empty())
    std::cout << fmt::format("{:<16}  {:<20} {:<12} {:>9} {:>13} {:>9}  {}\n", "key", "mapping",
                             "chip", "packets", "packets/s", "bytes", "set");
  for (const StoredResult& result : results) {
    const std::string key = result.key.substr(0, kShownDigits);
    if (!result.record) {
      std::cout << fmt::format("{}  damaged: {}\n", key, result.problem);
      continue;
    }
    const reports::RunRecord& record = *result.record;
    std::cout << fmt::format(
        "{}  {:<20} {:<12} {:>9} {:>13} {:>9}  {}\n", key, record.inputs.mapping.name,
        record.inputs.chip.name, record.packets.received,
        record.failure ? std::string("failed")
                       : fmt::format("{:.0f}", static_cast<double>(record.packets.sent) /
                                                   record.simulated_seconds),
        result.bytes, fmt::join(record.options.set, " "));
  }
  std::cout << fmt::format("{} results\n", results.size());
  return kDone;
}

int verify_results(const StoreOptions& options) {
  const auto store = existing_store(options);
  if (!store)
    return kBadInput;
  std::size_t damaged = 0;
  const auto results = store->results();
  for (const StoredResult& result : results) {
    if (result.record)
      continue;
    ++damaged;
    std::cerr << fmt::format("{}:0:0: error: {}\n", result.path, result.problem);
  }
  std::cout << fmt::format("{} results, {} damaged\n", results.size(), damaged);
  return damaged == 0 ? kDone : kCheckFailed;
}

// What no run can use: results that do not verify, those of other builds, and what writers left.
int remove_unusable(const StoreOptions& options) {
  const auto store = existing_store(options);
  if (!store)
    return kBadInput;
  const std::string& build = program_identity().build_id;
  std::vector<std::pair<std::string, std::string>> removed;  // path, why
  std::size_t kept = 0;
  for (const StoredResult& result : store->results()) {
    if (!result.record)
      removed.emplace_back(result.path, "damaged: " + result.problem);
    else if (result.record->tool.build_id != build)
      removed.emplace_back(result.path, "of another build of nplab");
    else
      ++kept;
  }
  for (const std::string& path : store->leftovers())
    removed.emplace_back(path, "never finished");
  int status = kDone;
  for (const auto& [path, why] : removed) {
    std::error_code problem;
    if (!options.dry_run)
      std::filesystem::remove(path, problem);
    if (problem) {
      std::cerr << fmt::format("{}:0:0: error: cannot be removed: {}\n", path, problem.message());
      status = kBadInput;
    } else {
      std::cout << fmt::format("{}  {}\n", path, why);
    }
  }
  std::cout << fmt::format("{} {}, {} kept\n", removed.size(),
                           options.dry_run ? "would be removed" : "removed", kept);
  return status;
}

// The words after `nplab run`. Nothing when the line is not written so.
std::optional<std::vector<std::string>> words_of(const std::string& line) {
  const auto list = nlohmann::json::parse(line, nullptr, false);
  if (!list.is_array() ||
      !std::all_of(list.begin(), list.end(), [](const auto& word) { return word.is_string(); }))
    return std::nullopt;
  return list.get<std::vector<std::string>>();
}

// Nothing for words that `nplab run` refuses.
std::optional<std::string> key_of(std::vector<std::string> words) {
  CLI::App command;
  std::string mapping;
  ExperimentOptions experiment;
  OutputOptions output;
  command.add_option("MAPPING", mapping)->required();
  add_experiment_options(command, experiment);
  add_without_option(command, experiment.without);
  add_unit_option(command, experiment.units, "");
  add_output_options(command, output);
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    command.parse(words);
  } catch (const CLI::ParseError&) {
    return std::nullopt;
  }
  Diagnostics unread;
  return run_key(mapping, experiment, output.detail, unread);
}

int print_keys(const StoreOptions& options) {
  Diagnostics diagnostics;
  const bool is_standard_input = options.runs == "-";
  const auto file = read_input_file(is_standard_input ? "/dev/stdin" : options.runs, diagnostics);
  std::string keys;
  std::istringstream lines(file ? file->bytes : "");
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto words = words_of(line);
    ++number;
    if (!words)
      diagnostics.error({options.runs, number, 1},
                        "expected the words after `nplab run` as a JSON list of strings, such as "
                        "[\"bv1\", \"--packets\", \"500\"]");
    else
      keys += key_of(*words).value_or("-") + "\n";
  }
  std::cerr << diagnostics.to_string();
  if (diagnostics.has_errors())
    return kBadInput;
  std::cout << keys;
  return kDone;
}

}  // namespace

void add_cache_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "cache", "Show where compiled programs and profiles of predictions are kept, or remove them");
  command->footer(
      "A program that was compiled once, from the same files, with the same options and by the "
      "same build of nplab, is taken from this folder. The environment variable NPLAB_CACHE names "
      "another folder for the caches of nplab; `off` keeps nothing. Without it, they are in nplab "
      "in XDG_CACHE_HOME, or in ~/.cache.");
  auto* removal = command->add_subcommand("clear", "Remove all of them");
  command->callback(
      [removal, &status] { status = removal->parsed() ? clear_caches() : show_caches(); });
}

void add_store_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "store", "List, verify and clean up the results that runs and studies keep with --store");
  command->require_subcommand(1);
  command->footer(
      "A store is a folder with one file per result, KEY.json.gz: the run record, compressed. The "
      "key is a digest of all that the run depends on; `nplab run MAPPING --key` prints it. "
      "Several studies and machines may use one store at once.");
  const auto options = std::make_shared<StoreOptions>();
  const auto add = [&](const char* name, const char* what, int (*carry_out)(const StoreOptions&)) {
    auto* part = command->add_subcommand(name, what);
    part->add_option("DIR", options->folder, "folder of results")->required();
    part->callback([options, &status, carry_out] { status = carry_out(*options); });
    return part;
  };
  add("ls", "List the results: key, mapping, chip, packets, rate, overrides", list_results);
  add("verify", "Read every result and check it; exit status 1 if one is damaged", verify_results);
  add("gc", "Remove what no run can use: damaged results, those of other builds, leftovers",
      remove_unusable)
      ->add_flag("--dry-run", options->dry_run, "name them and remove nothing");
  auto* keys = command->add_subcommand(
      "keys", "Print the keys of many runs, a line each; `-` for a run whose input is wrong");
  keys->add_option("FILE", options->runs,
                   "the runs, a line each: the words after `nplab run` as a JSON list (- for "
                   "standard input)")
      ->required();
  keys->callback([options, &status] { status = print_keys(*options); });
}

}  // namespace nplab::tools
