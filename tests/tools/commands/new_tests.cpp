// nplab new, as docs/extending/adding-a-mapping.md and docs/extending/adding-an-algorithm.md use
// it.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <regex>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

// A data directory of its own: what a checkout has of mappings, chips, workloads and templates.
class DataCopy {
 public:
  DataCopy() {
    for (const char* part :
         {"mappings", "simulator/chips", "workloads", "isa/include", "tools/templates"}) {
      const fs::path to = folder_.path() / part;
      fs::create_directories(to.parent_path());
      fs::copy(fs::path(nplab::source_path()) / part, to, fs::copy_options::recursive);
    }
    ::setenv("NPLAB_DATA", folder_.path().c_str(), 1);
  }
  ~DataCopy() { ::unsetenv("NPLAB_DATA"); }
  DataCopy(const DataCopy&) = delete;
  DataCopy& operator=(const DataCopy&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  ScratchFolder folder_;
};

// Both pages show their examples as changes that git takes from them.
const std::string kMappingPage = nplab::source_path("docs/extending/adding-a-mapping.md");
const std::string kPage = nplab::source_path("docs/extending/adding-an-algorithm.md");

bool is_listed(const char* kind, const std::string& name) {
  const auto names = nlohmann::json::parse(call_nplab({"list", "--json"}).out).at(kind);
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("a new mapping lies beside its original, is listed and runs as that does", "[new]") {
  const DataCopy data;
  const Outcome made = call_nplab({"new", "mapping", "bv1-wide", "--from", "bv1"});
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK_THAT(made.out, Contains("mappings/bit-vector/bv1-wide.yaml"));
  CHECK(is_listed("mappings", "bv1-wide"));
  const auto original = record_of({"bv1", "--packets", "100"});
  const auto copy = record_of({"bv1-wide", "--packets", "100"});
  CHECK(copy.at("inputs").at("mapping").at("name") == "bv1-wide");
  CHECK(copy.at("cycles") == original.at("cycles"));
}

TEST_CASE("the changes that the page shows apply to a new mapping, which sends what the page says",
          "[new]") {
  const DataCopy data;
  REQUIRE(call_nplab({"new", "mapping", "bv1-wide", "--from", "bv1"}).status == 0);
  const Outcome applied = run_program("git", {"apply", kMappingPage}, data.file(""));
  INFO(applied.err);
  REQUIRE(applied.status == 0);
  CHECK(call_nplab({"check", "bv1-wide"}).status == 0);
  const std::string page = read_text(kMappingPage);
  static const std::regex kClaim(
      R"re(([0-9]+),([0-9]+) are sent instead of ([0-9]+),([0-9]+)\.)re");
  std::smatch claim;
  REQUIRE(std::regex_search(page, claim, kClaim));
  const auto sent = [](const char* mapping) {
    const auto record = record_of({mapping, "--packets", "5000"});
    return record.at("packets").at("sent").get<unsigned>();
  };
  CHECK(sent("bv1-wide") == std::stoul(claim.str(1) + claim.str(2)));
  CHECK(sent("bv1") == std::stoul(claim.str(3) + claim.str(4)));
}

TEST_CASE("a new mapping may have the name of another algorithm's folder", "[new]") {
  const DataCopy data;
  CHECK(call_nplab({"new", "mapping", "hicuts", "--from", "bv1"}).status == 0);
  CHECK(fs::exists(data.file("mappings/bit-vector/hicuts.yaml")));
}

TEST_CASE("a new mapping names its schema and keeps every other line of its original", "[new]") {
  const ScratchFolder folder;
  const std::string text = "# Why.\nmapping: mine   # name\nalgorithm: bit-vector\n";
  (void)folder.write("mine.yaml", text);
  REQUIRE(call_nplab({"new", "mapping", "other", "--from", "mine.yaml"}, folder.path()).status ==
          0);
  const std::string written = read_text(folder.file("other.yaml"));
  const std::string comment = "# yaml-language-server: $schema=";
  REQUIRE_THAT(written, StartsWith(comment));
  const std::size_t end = written.find('\n');
  const std::string schema = written.substr(comment.size(), end - comment.size());
  CHECK(fs::is_regular_file(folder.file(schema)));
  CHECK(written.substr(end + 1) == "# Why.\nmapping: other\nalgorithm: bit-vector\n");
}

TEST_CASE("a name that is taken or that cannot name a function is refused and nothing is written",
          "[new]") {
  const DataCopy data;
  const Outcome taken = call_nplab({"new", "mapping", "bv2", "--from", "bv1"});
  CHECK(taken.status == 2);
  CHECK_THAT(taken.err, Contains("bv2") && Contains("already"));
  const Outcome odd = call_nplab({"new", "algorithm", "My_Own"});
  CHECK(odd.status == 2);
  CHECK_THAT(odd.err, Contains("My_Own") && Contains("lower-case letter"));
  CHECK_FALSE(fs::exists(data.file("mappings/My_Own")));
  const Outcome library = call_nplab({"new", "algorithm", "library"});
  CHECK(library.status == 2);
  CHECK_THAT(library.err, Contains("library") && Contains("folder that already exists"));
  CHECK_FALSE(fs::exists(data.file("mappings/library/manifest.yaml")));
  const Outcome unknown = call_nplab({"new", "mapping", "x", "--from", "bv7"});
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("bv7") && Contains("did you mean"));
}

TEST_CASE("a new algorithm that cannot be written as a whole is not written at all", "[new]") {
  const DataCopy data;
  // The limit, in units of 512 bytes, lets the first files through and stops at the largest; one
  // that is hit then is an error of the write, not a signal.
  const std::string call =
      "trap '' XFSZ; ulimit -f 1; exec '" + nplab::program_path() + "' new algorithm first-match";
  const Outcome outcome = run_program("sh", {"-c", call});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("cannot be written"));
  CHECK_FALSE(fs::exists(data.file("mappings/first-match")));
  for (const auto& entry : fs::directory_iterator(data.file(""))) {
    CHECK_THAT(entry.path().filename().string(), !Contains(".new-"));
  }
  CHECK(call_nplab({"new", "algorithm", "first-match"}).status == 0);
}

TEST_CASE("a new algorithm's folder is listed, and its builder and task are right C++ and C",
          "[new]") {
  const DataCopy data;
  const Outcome made = call_nplab({"new", "algorithm", "first-match"});
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(is_listed("algorithms", "first-match"));
  CHECK(is_listed("mappings", "first-match"));
  const std::string builder = data.file("mappings/first-match/builder.cpp");
  CHECK_THAT(read_text(builder), Contains("make_first_match_builder(") && !Contains("@"));
  const Outcome compiled = run_program("c++", {"-std=c++20", "-fsyntax-only", "-Wall", "-Wextra",
                                               "-Werror", "-I", nplab::source_path(), builder});
  INFO(compiled.err);
  CHECK(compiled.status == 0);
}

TEST_CASE("the changes that the page shows apply to a new algorithm, and its builder is right C++",
          "[new]") {
  const DataCopy data;
  REQUIRE(call_nplab({"new", "algorithm", "first-match"}).status == 0);
  const std::string builder = data.file("mappings/first-match/builder.cpp");
  const Outcome applied = run_program("git", {"apply", kPage}, data.file(""));
  INFO(applied.err);
  REQUIRE(applied.status == 0);
  CHECK_THAT(read_text(builder), Contains("places.at(\"starts\")"));
  const Outcome compiled = run_program("c++", {"-std=c++20", "-fsyntax-only", "-Wall", "-Wextra",
                                               "-Werror", "-I", nplab::source_path(), builder});
  INFO(compiled.err);
  CHECK(compiled.status == 0);
}

// Minutes: a copy of the checkout is built with the new folder in it, changed as the page says.
TEST_CASE("a new algorithm is built in by its folder alone, and classifies every packet right",
          "[full][new_algorithm]") {
  const ScratchFolder folder;
  for (const auto& entry : fs::directory_iterator(nplab::source_path())) {
    const auto name = entry.path().filename();
    if (name == "build" || name == ".git")
      continue;
    fs::copy(entry.path(), folder.path() / name, fs::copy_options::recursive);
  }
  ::setenv("NPLAB_DATA", folder.path().c_str(), 1);
  const Outcome made = call_nplab({"new", "algorithm", "first-match"});
  ::unsetenv("NPLAB_DATA");
  REQUIRE(made.status == 0);
  REQUIRE(run_program("git", {"apply", kPage}, folder.path()).status == 0);
  // As the wrapper does, so that the compiler cache has what this checkout has in common with it.
  const Words configure{"-S",
                        ".",
                        "-B",
                        "build/release",
                        "-G",
                        "Ninja",
                        "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_UNITY_BUILD=ON"};
  REQUIRE(run_program("cmake", configure, folder.path()).status == 0);
  const std::string program = folder.file("build/release/tools/nplab");
  // run_program ends what takes too long, so the parts are built one after another.
  for (const char* target :
       {"nplab_isa", "nplab_isa_mc", "nplab_compiler", "nplab_simulator", "nplab"}) {
    const Outcome built =
        run_program("ninja", {"-C", "build/release", "-j2", target}, folder.path());
    INFO(built.out);
    REQUIRE(built.status == 0);
  }
  const Words words{"run",       "first-match", "--packets", "200",
                    "--arrival", "lossless",    "--drain",   "--quiet"};
  const Outcome run = run_program(program, words + Words{"--json", "r.json"}, folder.path());
  INFO(run.err);
  REQUIRE(run.status == 0);
  const auto record = read_json(folder.file("r.json"));
  check_record(record);
  check_all_classified(record);
}
