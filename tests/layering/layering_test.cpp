#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Bottom first. compiler and reports stand side by side on everything below them and do not see each other.
const std::vector<std::string> kLayers{"support", "isa", "workloads", "mappings", "simulator", "compiler", "reports", "tools"};

std::size_t height(const std::string& layer) {
  return static_cast<std::size_t>(std::find(kLayers.begin(), kLayers.end(), layer) - kLayers.begin());
}

bool may_include(const std::string& from, const std::string& to) {
  if (from == "reports") return to == "reports" || to == "support";   // knows the record's schema and nothing else
  if (from == "simulator" && to == "mappings") return false;          // knows programs as images, not mappings
  return height(to) <= height(from);
}

// Every include of `text` that `layer` may not have, as "folder/file.h".
std::vector<std::string> forbidden_includes(const std::string& layer, const std::string& text) {
  static const std::regex include(R"re(#include "([a-z_]+)/[^"]*")re");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
    const std::string to = (*at)[1];
    if (height(to) < kLayers.size() && !may_include(layer, to)) found.push_back(at->str());
  }
  return found;
}

std::string contents(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("no source file includes a header of a layer above its own") {
  for (const std::string& layer : kLayers) {
    if (!fs::exists(fs::path(NPLAB_SOURCE_DIR) / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(NPLAB_SOURCE_DIR) / layer)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      INFO(entry.path());
      CHECK(forbidden_includes(layer, contents(entry.path())).empty());
    }
  }
}

TEST_CASE("the layering check refuses an include that runs upwards") {
  CHECK(forbidden_includes("isa", "#include \"compiler/compiler.h\"\n").size() == 1);
  CHECK(forbidden_includes("reports", "#include \"simulator/chip.h\"\n").size() == 1);
  CHECK(forbidden_includes("simulator", "#include \"mappings/placement.h\"\n").size() == 1);
  CHECK(forbidden_includes("compiler", "#include \"isa/program_image.h\"\n").empty());
}
