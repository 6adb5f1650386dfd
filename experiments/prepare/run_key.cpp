#include "experiments/prepare/run_key.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/chosen_files.h"
#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/data_files.h"
#include "experiments/prepare/program_identity.h"
#include "experiments/prepare/unit_choices.h"
#include "support/byte_stream.h"
#include "support/input_file.h"
#include "support/sha256.h"
#include "workloads/rules/rule_spec.h"
#include "workloads/workload_file.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

// Changes when the way a key is computed does.
constexpr const char* kKeyVersion = "nplab.run-key/1";

bool is_code(const fs::path& path) {
  static const std::set<std::string> kExtensions{".c", ".h", ".s"};
  return kExtensions.contains(path.extension().string());
}

// Engine C and the manifests of algorithms and fronts. Mappings, chips and workloads have digests
// of their own.
bool makes_programs(const fs::path& path) {
  return is_code(path) || path.filename() == "manifest.yaml" || path.filename() == "front.yaml";
}

// Of the files below `folder` that `is_wanted`, with their names.
template <class Wanted>
std::string digest_of_folder(const fs::path& folder, Wanted is_wanted, Diagnostics& diagnostics) {
  std::error_code status;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder, status)) {
    if (entry.is_regular_file(status) && is_wanted(entry.path()))
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  ByteWriter writer;
  for (const fs::path& path : paths) {
    writer.text(fs::relative(path, folder, status).string());
    writer.text(digest_of_file(path.string(), diagnostics).value_or(""));
  }
  return sha256_hex(writer.bytes());
}

// Of nplab's own files that programs are made of: read once, since no command changes them.
const std::string& digest_of_library(Diagnostics& diagnostics) {
  static const std::string digest =
      sha256_hex(digest_of_folder(data_directory() / "mappings", makes_programs, diagnostics) +
                 digest_of_folder(data_directory() / "isa" / "include", is_code, diagnostics));
  return digest;
}

class KeyWriter {
 public:
  explicit KeyWriter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void text(std::string_view value) { bytes_.text(value); }
  void number(std::uint64_t value) { bytes_.number(value); }
  void texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values)
      text(value);
  }

  // Rules, traffic or updates: a generator's SPEC, or a file, first looked for in `folder`.
  void input(const std::string& word, const fs::path& folder) {
    text(word);
    if (workloads::is_rule_spec(word))
      return profile_of(word);
    const fs::path beside = folder / word;
    const bool is_beside = !folder.empty() && fs::is_regular_file(beside);
    file(is_beside ? beside.string() : word);
  }

  void file(const std::string& path) {
    if (!path.empty())
      text(digest_of_file(path, diagnostics_).value_or(""));
  }

  [[nodiscard]] std::string key() const { return sha256_hex(bytes_.bytes()); }

 private:
  // A SPEC may name a profile of rules that is a file. What is not a SPEC of rules is judged when
  // the run is prepared.
  void profile_of(const std::string& spec) {
    Diagnostics unread;
    const auto rules = workloads::parse_rule_spec(spec, {}, unread);
    if (!rules)
      return;
    if (const auto path = find_data_file(DataKind::kRuleProfile, rules->profile, {}, unread))
      file(*path);
  }

  Diagnostics& diagnostics_;
  ByteWriter bytes_;
};

// Programs written by hand, and what they may include: all code of their folders.
void write_own_programs(const mappings::MappingFile& mapping, KeyWriter& key,
                        Diagnostics& diagnostics) {
  for (const mappings::StageEntry& stage : mapping.stages) {
    if (stage.program.empty())
      continue;
    key.file(stage.program);
    key.text(digest_of_folder(fs::path(stage.program).parent_path(), is_code, diagnostics));
  }
}

void write_workload(const workloads::WorkloadFile& file, const std::string& path,
                    const ExperimentOptions& options, KeyWriter& key) {
  const fs::path folder = fs::path(path).parent_path();
  key.text(file.name);
  key.text(file.sha256);
  if (options.rules.empty())
    key.input(file.rules.name, folder);
  else
    key.input(options.rules, "");
  key.number(options.traffic.size());
  for (const std::string& traffic : options.traffic)
    key.input(traffic, "");
  if (options.traffic.empty())
    for (const workloads::NamedInput& traffic : file.traffic)
      key.input(traffic.name, folder);
}

void write_options(const ExperimentOptions& options, KeyWriter& key) {
  key.number(options.packets);
  key.number(options.drain);
  key.number(options.seed.has_value());
  key.number(options.seed.value_or(0));
  key.texts(options.set);
  key.texts(options.without);
  key.text(options.l4_key ? workloads::name_of(*options.l4_key) : "");
  key.text(options.arrival ? to_string(*options.arrival) : "");
  key.number(options.ports_in.size());
  for (const workloads::PortId port : options.ports_in)
    key.number(port.value());
  key.text(options.updates);
  if (!options.updates.empty() && !options.updates.starts_with("gen:"))
    key.file(options.updates);
  key.text(options.profile);
  key.file(options.profile);
  key.texts(options.units);
  Diagnostics unread;  // reported when the run is prepared
  for (const simulator::UnitChoice& unit : parse_units(options, unread))
    key.file(unit.file);
}

}  // namespace

std::optional<std::string> run_key(const std::string& mapping, const ExperimentOptions& options,
                                   reports::RecordDetail detail, Diagnostics& diagnostics) {
  const auto errors = diagnostics.errors().size();
  diagnostics.append(options.unread);
  const auto overrides = parse_overrides(options.set, diagnostics);
  const auto read = read_chosen_mapping(mapping, options, overrides, diagnostics);
  if (!read)
    return std::nullopt;
  const auto chip_path = chosen_chip(*read, options, diagnostics);
  const auto chip = chip_path ? read_chip_text(*chip_path, diagnostics) : std::nullopt;
  const auto workload_path = chosen_workload(*read, options, diagnostics);
  const auto workload = workload_path
                            ? workloads::read_workload_file(
                                  *workload_path, workload_overrides(overrides), diagnostics)
                            : std::nullopt;
  if (!chip || !workload)
    return std::nullopt;
  KeyWriter key(diagnostics);
  key.text(kKeyVersion);
  key.text(program_identity().build_id);
  key.text(digest_of_library(diagnostics));
  key.text(read->name);
  key.text(read->sha256);
  write_own_programs(*read, key, diagnostics);
  key.text(fs::path(*chip_path).stem().string());
  key.text(chip->sha256);
  write_workload(*workload, *workload_path, options, key);
  write_options(options, key);
  key.number(static_cast<std::uint64_t>(detail));
  if (diagnostics.errors().size() != errors)
    return std::nullopt;
  return key.key();
}

}  // namespace nplab::experiments
