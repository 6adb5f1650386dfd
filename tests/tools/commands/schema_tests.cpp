// nplab schema, and the tables of docs/ that come from the same descriptions.
#include <catch2/catch.hpp>

#include <filesystem>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

TEST_CASE("schema prints a draft 2020-12 schema of a kind of file", "[schema]") {
  const Outcome outcome = call_nplab({"schema", "chip"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  const auto schema = nlohmann::json::parse(outcome.out);
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema.at("properties").at("sram").at("properties").contains("read_queue"));
}

TEST_CASE("schema of an unknown kind names the kinds there are", "[schema]") {
  const Outcome outcome = call_nplab({"schema", "chips"});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("unknown kind of file 'chips'; known: calibration, chip, "
                                   "manifest, mapping, space, study, workload, run, predict"));
}

namespace {

// Validates YAML or JSON files against a schema with Debian's python3-jsonschema, which reads both
// without us. Prints a line for each file that is refused; PyYAML's integer keys become text, as
// JSON has them.
constexpr const char* kValidator = R"py(
import json, sys, yaml, jsonschema
def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    for error in validator.iter_errors(plain(yaml.safe_load(open(name)))):
        print(name + ": " + error.json_path + ": " + error.message[:200])
)py";

bool has_validator() {
  if (run_program("python3", {"-c", "import yaml, jsonschema"}).status == 0)
    return true;
  WARN("python3-jsonschema or python3-yaml is not installed: skipped");
  return false;
}

// What the validator says of files of a kind; empty when it takes them all.
std::string refusals(const ScratchFolder& folder, const std::string& kind, const Words& files) {
  const std::string schema = folder.write(kind + ".schema.json", call_nplab({"schema", kind}).out);
  const Outcome outcome =
      run_program("python3", Words{"-W", "ignore", "-c", kValidator, schema} + files);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return outcome.out;
}

// Shipped files by kind. Mappings and manifests lie in the folders of algorithms.
Words shipped_files(const std::string& kind) {
  Words found;
  const fs::path root = nplab::source_path("");
  const fs::path top = kind == "chip"       ? "simulator/chips"
                       : kind == "workload" ? "workloads"
                                            : "mappings";
  for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
    const fs::path& path = entry.path();
    const std::string folder = path.parent_path().filename().string();
    const bool is_manifest = path.filename() == "manifest.yaml" || path.filename() == "front.yaml";
    const bool is_calibration = path.filename() == "calibration.yaml";
    const bool is_study = folder == "studies" && !is_calibration;
    if (path.extension() != ".yaml" || path.string().ends_with(".rules.yaml"))
      continue;
    if (kind == "chip" || (kind == "workload" && folder == "workloads") ||
        (kind == "manifest" && is_manifest) || (kind == "study" && is_study) ||
        (kind == "calibration" && is_calibration) ||
        (kind == "mapping" && !is_manifest && folder != "studies"))
      found.push_back(path.string());
  }
  return found;
}

}  // namespace

TEST_CASE("an independent validator takes every shipped file by the schema of its kind",
          "[schema]") {
  if (!has_validator())
    return;
  const ScratchFolder folder;
  for (const char* kind : {"chip", "mapping", "manifest", "workload", "study", "calibration"}) {
    INFO(kind);
    const Words files = shipped_files(kind);
    CHECK_FALSE(files.empty());
    CHECK(refusals(folder, kind, files) == "");
  }
}

TEST_CASE("an independent validator takes a run record by its schema", "[schema]") {
  if (!has_validator())
    return;
  const ScratchFolder folder;
  const std::string record = folder.file("run.json");
  REQUIRE(call_nplab({"run", "bv1", "--packets", "200", "--quiet", "--json", record}).status == 0);
  CHECK(refusals(folder, "run", {record}) == "");
}

TEST_CASE("the schemas refuse what a schema can know to be wrong", "[schema]") {
  if (!has_validator())
    return;
  struct Edit {
    const char* kind;
    const char* file;
    const char* from;
    const char* to;
  };
  const std::vector<Edit> edits = {
      {"mapping", "mappings/bit-vector/bv1.yaml", "buffers:", "bufers:"},
      {"mapping", "mappings/bit-vector/bv1.yaml", "buffers: 4160", "buffers: 0"},
      {"mapping", "mappings/bit-vector/bv1.yaml", "buffers: 4160", "buffers: many"},
      {"mapping", "mappings/bit-vector/bv1.yaml", "role: transmit", "role: send"},
      {"mapping", "mappings/bit-vector/bv1.yaml",
       "  poll_work: {value: 96, reason:", "  poll_work: {value: 96, because:"},
      {"mapping", "mappings/bit-vector/bv1.yaml", ", to: transmit", ""},
      {"chip", "simulator/chips/ixp1200.yaml", "engines: 6", "engines: 65"},
      {"chip", "simulator/chips/ixp1200.yaml", "turn_around: 2", "turn_arround: 2"},
      {"chip", "simulator/chips/ixp1200.yaml", "prefetched_kill: true", "prefetched_kill: maybe"},
      {"chip", "simulator/chips/ixp1200.yaml", "  ix_bus_denominator: 5", ""},
      {"chip", "simulator/chips/cmp-io.yaml", "engines: 13", "engins: 13"},
      {"manifest", "mappings/bit-vector/manifest.yaml", "field_bits:", "field_bit:"},
      {"workload", "workloads/published.yaml", "seed: 1", "seed: -1"},
      {"workload", "workloads/published.yaml", "key: fixed", "key: fixd"},
      {"study", "mappings/studies/control.yaml", "metric: packets_per_s", "metrics: packets_per_s"},
      {"calibration", "mappings/studies/calibration.yaml", "within: 5, of: percent",
       "within: 5, of: percents"},
  };
  const ScratchFolder folder;
  for (const Edit& edit : edits) {
    INFO(edit.file << ": " << edit.from << " -> " << edit.to);
    std::string text = read_text(nplab::source_path(edit.file));
    REQUIRE(text.find(edit.from) != std::string::npos);
    text.replace(text.find(edit.from), std::string(edit.from).size(), edit.to);
    CHECK(refusals(folder, edit.kind, {folder.write("wrong.yaml", text)}) != "");
  }
}

TEST_CASE("the schema of chips takes old names of keys", "[schema]") {
  if (!has_validator())
    return;
  const ScratchFolder folder;
  std::string text = read_text(nplab::source_path("simulator/chips/ixp1200.yaml"));
  const std::string name = "condition_aborts_after_setter";
  text.replace(text.find(name), name.size(), "condition_aborts_behind_setter");
  CHECK(refusals(folder, "chip", {folder.write("old.yaml", text)}) == "");
}

TEST_CASE("the tables of keys in docs/ are those of the descriptions", "[schema]") {
  const ScratchFolder folder;
  const std::vector<std::pair<const char*, Words>> pages = {
      {"chip-file.md", {"chip"}},
      {"mappings.md", {"mapping", "manifest"}},
      {"workloads.md", {"workload"}},
      {"space-file.md", {"space"}},
      {"studies.md", {"study"}}};
  for (const auto& [name, kinds] : pages) {
    const std::string page = read_text(nplab::source_path(std::string("docs/") + name));
    const std::string copy = folder.write(name, page);
    for (const std::string& kind : kinds) {
      INFO("nplab schema " << kind << " --page docs/" << name << " writes the tables anew");
      CHECK_THAT(page, Contains("<!-- keys of " + kind));
      const Outcome outcome = call_nplab({"schema", kind, "--page", copy});
      CHECK(outcome.status == 0);
      CHECK(read_text(copy) == page);
    }
  }
}

TEST_CASE("explain says what a key of a file means, by its path or the path's end", "[schema]") {
  const Outcome outcome = call_nplab({"explain", "chip.sram.read_queue"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out ==
        "sram.read_queue (key of a chip file)\n"
        "  Capacity of the queue of reads with the token optimize_mem.\n"
        "  value: 1 to 4096\n"
        "  default: required\n"
        "  unit: entries\n"
        "  rests on: [R]\n");
  CHECK(call_nplab({"explain", "read_queue"}).out == outcome.out);
  CHECK_THAT(call_nplab({"explain", "sram.read_queue"}).out,
             StartsWith("stalled on (state)") && EndsWith(outcome.out));
  CHECK_THAT(call_nplab({"explain", "push_latency"}).out,
             Contains("sram.push_latency") && Contains("sdram.push_latency"));
  const Outcome wrong = call_nplab({"explain", "sram.read_qeue"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("did you mean 'sram.read_queue'?"));
}

TEST_CASE("a chip's old key is read with a warning, and exit status and output stay", "[schema]") {
  const ScratchFolder folder;
  const std::string old = folder.write("old.yaml",
                                       "extends: ixp1200\nname: ixp1200\nengine:\n  pipeline:\n"
                                       "    condition_aborts_behind_setter: 3\n");
  const Outcome usual = call_nplab({"check", "bv1"});
  const Outcome outcome = call_nplab({"check", "bv1", "--chip", old});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == usual.out);
  CHECK(outcome.err == old +
                           ":5:37: warning: 'condition_aborts_behind_setter' is deprecated; its "
                           "name is now 'condition_aborts_after_setter'\n");
}
