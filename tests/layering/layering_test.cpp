#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.h"

namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

// Bottom first. Those that a layer may not see though they lie below it are in kHidden.
const Names kLayers{"support",  "isa",     "workloads",   "mappings", "simulator",
                    "compiler", "reports", "experiments", "tools"};
const std::map<std::string, std::set<std::string>> kHidden{
    {"mappings", {"simulator"}},
    {"simulator", {"mappings"}},  // knows programs as images, not mappings
    {"compiler",
     {"mappings", "workloads", "simulator"}},  // knows engine C and nothing about mappings
    {"reports",
     {"isa", "workloads", "mappings", "simulator", "compiler"}},  // the record's schema only
};

// The folders of a layer, bottom first; what lies in the layer's own folder comes where "." stands.
// A folder and those below it may include one another.
const std::map<std::string, Names> kFolders{
    {"support", {".", "parameters"}},
    {"isa", {"description", "include", ".", "decoder_generator", "mc", "assembly", "match"}},
    {"workloads", {"base", "packets", "rules", "reference", "traffic", "updates", "."}},
    {"mappings",
     {"include", "library", "flow-cache", "files", "tables", "resolver", "composition"}},
    {"simulator",
     {"base", "arbitration", "dram", "parameters", "media", "engine", "memory", "cache",
      "match_engine", "bus", "fbi", "chip", "observe", "run", "systemc"}},
    {"compiler", {"runtime", "options", "backend", "transforms", "front_end", "expressions", "."}},
    {"reports", {"record", "tables", "analysis", "glossary", "text", "html", "published"}},
    {"experiments",
     {"prepare", "check", "core_processor", "record", "run", "match_engine", "studies",
      "calibration", "labs", "queues", "benches", "prediction", "exploration", "debugging",
      "component", "."}},
    {"tools", {"output", "options", "commands", "debug_adapter", "view", "templates", "."}},
};

constexpr std::size_t kMostParts = 25;

std::size_t place(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

constexpr const char* kGenerated = "";  // below every folder of its layer

// "simulator/engine/semantics/alu.cpp" -> {"simulator", "engine"}; "isa/decoder.h" -> {"isa", "."}.
// What the build generates lies under its layer.
std::pair<std::string, std::string> position(const std::string& path) {
  static const std::regex generated(R"(([a-z]+)/([^/]*\.gen\.|Microengine[A-Z]?Gen)[^/]*)");
  if (std::smatch match; std::regex_match(path, match, generated))
    return {match[1], kGenerated};
  const auto first = path.find('/'), second = path.find('/', first + 1);
  return {path.substr(0, first),
          second == std::string::npos ? "." : path.substr(first + 1, second - first - 1)};
}

// Algorithms are folders of their own beside those of kFolders; they use tables and below, and one
// another.
bool is_algorithm(const std::string& layer, const std::string& folder) {
  return layer == "mappings" &&
         fs::exists(nplab::source_path("mappings/" + folder + "/manifest.yaml"));
}

bool may_include(const std::string& from, const std::string& to) {
  const auto [layer, folder] = position(from);
  const auto [other, below] = position(to);
  if (layer != other) {
    const auto hidden = kHidden.find(layer);
    return place(kLayers, other) < place(kLayers, layer) &&
           (hidden == kHidden.end() || !hidden->second.contains(other));
  }
  if (folder == below || below == kGenerated)
    return true;
  const Names& folders = kFolders.at(layer);
  if (is_algorithm(layer, folder))
    return is_algorithm(layer, below) || place(folders, below) <= place(folders, "tables");
  return place(folders, below) < place(folders, folder);
}

// Every include of `text` that the file at `path` may not have. Engine C names headers without a
// folder: those of its own folder and of the include path, which the compiler would not find
// elsewhere.
Names forbidden_includes(const std::string& path, const std::string& text) {
  static const std::regex include(R"re(#include "((\.\./)*[a-z_.-]+/[^"]*)")re");
  Names found;
  for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
    std::string to = (*at)[1];
    if (to.starts_with("../"))
      to = (fs::path(path).parent_path() / to).lexically_normal().string();
    if (place(kLayers, position(to).first) == kLayers.size())
      continue;  // a library's
    if (!may_include(path, to))
      found.push_back(path + ": " + at->str());
  }
  return found;
}

std::string contents(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_source(const fs::path& path) {
  static const std::set<std::string> kExtensions{".h", ".cpp", ".c", ".inc", ".in", ".td"};
  return kExtensions.contains(path.extension().string());
}

Names sources_under(const std::string& folder) {
  Names found;
  for (const auto& entry : fs::recursive_directory_iterator(nplab::source_path(folder)))
    if (is_source(entry.path()))
      found.push_back(fs::relative(entry.path(), nplab::source_path()).string());
  return found;
}

}  // namespace

TEST_CASE("no file includes one of a layer or folder above its own") {
  Names forbidden;
  for (const std::string& layer : kLayers)
    for (const std::string& path : sources_under(layer))
      for (const std::string& found : forbidden_includes(path, contents(nplab::source_path(path))))
        forbidden.push_back(found);
  CHECK(forbidden == Names{});
}

TEST_CASE("every folder of a layer has its place in the layer's order") {
  for (const std::string& layer : kLayers) {
    for (const auto& entry : fs::directory_iterator(nplab::source_path(layer))) {
      const std::string folder = entry.path().filename().string();
      if (!entry.is_directory() || is_algorithm(layer, folder))
        continue;
      if (sources_under(layer + "/" + folder).empty())
        continue;  // data
      INFO(layer << "/" << folder);
      CHECK(place(kFolders.at(layer), folder) < kFolders.at(layer).size());
    }
  }
}

TEST_CASE("the layering check refuses an include that runs upwards") {
  CHECK(forbidden_includes("isa/decoder.h", "#include \"compiler/compiler.h\"\n").size() == 1);
  CHECK(forbidden_includes("reports/text/x.h", "#include \"simulator/run/exec.h\"\n").size() == 1);
  CHECK(forbidden_includes("compiler/compiler.h", "#include \"mappings/resolver/placement.h\"\n")
            .size() == 1);
  CHECK(
      forbidden_includes("simulator/memory/x.cpp", "#include \"simulator/run/exec.h\"\n").size() ==
      1);
  CHECK(forbidden_includes("mappings/bit-vector/x.c", "#include \"../../simulator/run/exec.h\"\n")
            .size() == 1);
  CHECK(forbidden_includes("compiler/compiler.h", "#include \"isa/program_image.h\"\n").empty());
  CHECK(forbidden_includes("simulator/run/exec.h", "#include \"simulator/memory/x.h\"\n").empty());
}

// A header with its source is one part.
TEST_CASE("no folder holds more than 25 parts") {
  Names layers = kLayers;
  layers.push_back("tests");
  layers.push_back("docs");
  for (const std::string& layer : layers) {
    std::map<std::string, std::set<std::string>> parts;
    for (const auto& entry : fs::recursive_directory_iterator(nplab::source_path(layer))) {
      if (!entry.is_regular_file())
        continue;
      const std::string name = entry.path().filename().string();
      parts[fs::relative(entry.path().parent_path(), nplab::source_path()).string()].insert(
          name.substr(0, name.find('.')));
    }
    for (const auto& [folder, names] : parts) {
      INFO(folder);
      CHECK(names.size() <= kMostParts);
    }
  }
}
