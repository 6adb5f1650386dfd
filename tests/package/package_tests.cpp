// What `cmake --install` installs, in a folder of the build tree, and a program that links it.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/process.h"
#include "support/temporary_folder.h"
#include "tests/paths.h"

using namespace nplab;

namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

std::string output_of(const Command& command, const fs::path& folder = {}) {
  Diagnostics diagnostics;
  const auto result = run_successfully({.command = command, .folder = folder}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  return result->out;
}

// The installation, made once for all tests.
const fs::path& installation() {
  static const fs::path prefix = [] {
    const fs::path folder = fs::path(binary_path()) / "package-test" / "installed";
    fs::remove_all(folder);
    output_of({NPLAB_CMAKE, "--install", binary_path(), "--prefix", folder.string()});
    return folder;
  }();
  return prefix;
}

std::string installed_nplab() {
  return (installation() / "bin" / "nplab").string();
}

// Builds a program outside of the checkout's build against the installation; gives its folder.
fs::path built(const std::string& source, const std::string& name, const Command& more = {}) {
  const fs::path build = fs::path(binary_path()) / "package-test" / name;
  fs::remove_all(build);
  Command configure{NPLAB_CMAKE,
                    "-S",
                    source,
                    "-B",
                    build.string(),
                    "-DCMAKE_PREFIX_PATH=" + installation().string(),
                    std::string("-DCMAKE_CXX_COMPILER=") + NPLAB_CXX_COMPILER};
  configure.insert(configure.end(), more.begin(), more.end());
  output_of(configure);
  output_of({NPLAB_CMAKE, "--build", build.string()});
  return build;
}

fs::path built_example(const std::string& name, const Command& more = {}) {
  return built(source_path("examples/" + name), name, more);
}

std::string installed_headers() {
  return "-DNPLAB_INCLUDE=" + (installation() / "include").string();
}

// Every file of the checkout outside of its build folder, with its time of change.
std::map<std::string, fs::file_time_type> files_of_checkout() {
  std::map<std::string, fs::file_time_type> files;
  fs::recursive_directory_iterator entries{fs::path(source_path())};
  for (auto entry = begin(entries); entry != end(entries); ++entry) {
    if (entry.depth() == 0 &&
        (entry->path().filename() == "build" || entry->path().filename() == ".git"))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      files[entry->path().string()] = entry->last_write_time();
  }
  return files;
}

// What a page shows between fences: "```cpp platform/main.cpp" is a file, "```sh" are commands.
struct Fence {
  std::string language;
  std::string file;
  std::string text;
};

std::vector<Fence> fences_of(const std::string& page) {
  std::ifstream stream(page);
  std::vector<Fence> fences;
  bool is_inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      std::istringstream words(line.substr(3));
      if (is_inside)
        words >> fences.emplace_back().language >> fences.back().file;
    } else if (is_inside) {
      fences.back().text += line + "\n";
    }
  }
  return fences;
}

}  // namespace

// One case, so that the installation is made once.
TEST_CASE("an installed nplab is complete, leaves the checkout alone and links into programs") {
  SECTION("the installation has the command, its manual page, its data and the library") {
    for (const char* file :
         {"bin/nplab", "share/man/man1/nplab.1", "share/nplab/mappings/bit-vector/bv1.yaml",
          "share/nplab/simulator/chips/test.yaml", "include/nplab/experiments/nplab.h",
          "lib/cmake/nplab/nplab-config.cmake"}) {
      INFO(file);
      CHECK(fs::file_size(installation() / file) > 0);
    }
  }
  SECTION("the installed command is the built one, says so, and finds its own data") {
    const std::string version = output_of({installed_nplab(), "--version"});
    CHECK(version == output_of({program_path(), "--version"}));
    CHECK(output_of({installed_nplab(), "show", "bv1"}).find("receive") != std::string::npos);
    Diagnostics diagnostics;
    const auto created = run_process(
        {.command = {installed_nplab(), "new", "mapping", "installed-mapping", "--from", "bv1"}},
        diagnostics);
    REQUIRE(created);
    CHECK(created->out.find((installation() / "share").string()) == 0);
  }
  SECTION("the installed command writes nothing into the checkout") {
    const auto before = files_of_checkout();
    const fs::path folder = installation() / "elsewhere";
    fs::create_directories(folder);
    output_of({installed_nplab(), "run", "ls", "--packets", "100", "--quiet", "--json", "ls.json"},
              folder);
    Diagnostics ignored;
    run_process(
        {.command = {installed_nplab(), "new", "mapping", "written-mapping", "--from", "ls"},
         .folder = folder},
        ignored);
    run_process(
        {.command = {installed_nplab(), "new", "algorithm", "written-algorithm"}, .folder = folder},
        ignored);
    CHECK(files_of_checkout() == before);
  }
  SECTION("a copied command without its data does not fall back on the checkout") {
    Diagnostics diagnostics;
    const auto outside = TemporaryFolder::create("nplab-package-test", diagnostics);
    REQUIRE(outside);
    const fs::path folder = outside->path() / "bin";
    fs::create_directories(folder);
    fs::copy_file(installed_nplab(), folder / "nplab");
    const auto result =
        run_process({.command = {(folder / "nplab").string(), "check", "bv1"}}, diagnostics);
    REQUIRE(result);
    CHECK(result->end.exit_status == 2);
  }
  SECTION("a program of 20 lines links the installed library, runs BV1 and prints its rate") {
    const fs::path build = built(source_path("tests/package/consumer"), "consumer");
    std::istringstream lines(output_of({(build / "consumer").string()}, "/"));
    std::string subject, verb;
    double rate = 0;
    std::string unit;
    lines >> subject >> verb >> rate >> unit;
    CHECK(subject == "bv1");
    CHECK(rate > 100);
    CHECK(unit == "Mb/s");
  }
  SECTION("the files and commands of docs/systemc.md do what the page says, outside the checkout") {
    Diagnostics diagnostics;
    const auto outside = TemporaryFolder::create("nplab-platform-test", diagnostics);
    REQUIRE(outside);
    const fs::path folder = outside->path();
    fs::create_directory_symlink(source_path("examples"), folder / "examples");
    std::string script = "set -e\nexport PATH='" + (installation() / "bin").string() +
                         "':\"$PATH\"\nPREFIX='" + installation().string() + "'\nexport CXX='" +
                         NPLAB_CXX_COMPILER + "'\n";
    for (const Fence& fence : fences_of(source_path("docs/systemc.md"))) {
      if (fence.language == "sh")
        script += fence.text;
      if (fence.file.empty())
        continue;
      fs::create_directories((folder / fence.file).parent_path());
      std::ofstream(folder / fence.file) << fence.text;
    }
    const auto result =
        run_process({.command = {"sh", "-c", script}, .folder = folder}, diagnostics);
    REQUIRE(result);
    INFO(result->out << result->err);
    CHECK(result->end.exit_status == 0);
    CHECK_THAT(result->out, Catch::Contains("4179 packets sent, 0 misclassified"));
    CHECK_THAT(result->out, Catch::Contains("100% tests passed"));
    CHECK_THAT(result->out, Catch::Contains("packet 40"));
    CHECK_THAT(result->out, Catch::Contains("a CAM of 20 us is slower than TupleMerge"));
  }
  SECTION("two chips of a platform treat every packet as their rules say, with loss between them") {
    const std::string program = (built_example("two-chips") / "two_chips").string();
    for (const char* loss : {"0", "0.1"})
      CHECK_THAT(output_of({program, "800", loss}),
                 Catch::Contains("every packet was treated as the rules say"));
    const std::string lockstep = output_of({program, "400", "0.1", "1"});
    for (const char* quantum : {"33", "1024", "3300"}) {
      INFO("quantum " << quantum);
      CHECK(output_of({program, "400", "0.1", quantum}) == lockstep);
    }
  }
  SECTION("a host updates rules while packets flow, and none is misclassified") {
    const std::string program = (built_example("host") / "host").string();
    CHECK_THAT(output_of({program, "40"}, binary_path()),
               Catch::Contains("40 updates") && Catch::Contains(" 0 misclassified"));
  }
  SECTION("a host updates the rules of a match unit and reads their counters, and all are right") {
    const std::string program = (built_example("host") / "host").string();
    for (const Command& way : {Command{}, Command{"processes"}}) {
      Command command{program, "40", "tss-unit"};
      command.insert(command.end(), way.begin(), way.end());
      const std::string text = output_of(command, binary_path());
      CHECK_THAT(text, Catch::Contains("40 updates") && Catch::Contains(" 0 misclassified") &&
                           Catch::Contains("; 0 rules are counted wrong"));
      CHECK_THAT(text, !Catch::Contains("\n0 packets between"));
    }
  }
  SECTION("chips in a ring hand packets around") {
    const std::string program = (built_example("ring") / "ring").string();
    CHECK_THAT(output_of({program, "2", "2"}), Catch::Contains("times what chips alone"));
  }
  SECTION("a ternary CAM on the SRAM bus classifies as the reference does, by its latency") {
    const fs::path build = built_example("tcam", {installed_headers()});
    const std::string unit = "tcam=" + (build / "libtcam.so").string();
    const auto run = [&](const std::string& latency) {
      const std::string record = (build / (latency + ".json")).string();
      output_of({installed_nplab(), "run", source_path("examples/tcam/tcam.yaml"), "--chip",
                 source_path("examples/tcam/ixp1200-tcam.yaml"), "--unit",
                 unit + ",latency_ns=" + latency, "--packets", "2000", "--quiet", "--json",
                 record});
      return nlohmann::json::parse(std::ifstream(record));
    };
    const auto fast = run("20"), slow = run("20000");
    CHECK(fast.at("packets").at("misclassified") == 0);
    CHECK(slow.at("packets").at("misclassified") == 0);
    CHECK(slow.at("latency_cycles").at("p50") > fast.at("latency_cycles").at("p50"));
  }
  SECTION("a unit that is missing, unknown or not one is named, with what would be right") {
    const auto errors = [&](const Command& units) {
      Command command{installed_nplab(), "run", source_path("examples/tcam/tcam.yaml"), "--chip",
                      source_path("examples/tcam/ixp1200-tcam.yaml")};
      command.insert(command.end(), units.begin(), units.end());
      Diagnostics diagnostics;
      const auto result = run_process({.command = command}, diagnostics);
      REQUIRE(result);
      CHECK(result->end.exit_status == 2);
      return result->err;
    };
    const std::string other = source_path("examples/tcam/tcam.cpp");
    CHECK_THAT(errors({}), Catch::Contains("has a device 'tcam' on its SRAM bus, and no unit is "
                                           "given for it: --unit tcam=FILE.so"));
    CHECK_THAT(errors({"--unit", "tcam=./missing.so"}),
               Catch::Contains("--unit tcam: error: ./missing.so is not a file"));
    CHECK_THAT(errors({"--unit", "tcam=" + other}),
               Catch::Contains("is not a library with a unit"));
    CHECK_THAT(errors({"--unit", "tcam"}), Catch::Contains("'tcam' is not NAME=FILE.so"));
    CHECK_THAT(errors({"--set", "chip.sram.device0={name: tcam, base: 0x700000, bytes: 0x100}",
                       "--unit", "tcam=" + other}),
               Catch::Contains("table tcam at 0x700000 to 0x7") &&
                   Catch::Contains("the range of the device 'tcam', 0x700000 to 0x700100"));
  }
  SECTION("a new unit builds, passes its test, and has the rules of a run in it") {
    Diagnostics diagnostics;
    const auto outside = TemporaryFolder::create("nplab-unit-test", diagnostics);
    REQUIRE(outside);
    const fs::path folder = outside->path();
    output_of({installed_nplab(), "new", "unit", "slow-memory"}, folder);
    const fs::path build = built((folder / "slow-memory").string(), "slow-memory");
    output_of({(build / "unit_test").string()});
    const auto run = [&](const std::string& parameters) {
      return run_process(
          {.command = {installed_nplab(), "run", "ls", "--packets", "300", "--chip",
                       (folder / "slow-memory" / "chip.yaml").string(), "--set",
                       "memory={sram: {rules: 0x700000}}", "--unit",
                       "slow-memory=" + (build / "libslow-memory.so").string() + parameters}},
          diagnostics);
    };
    const auto usual = run(""), slow = run(",latency_ns=2000");
    REQUIRE((usual && slow));
    INFO(usual->err);
    CHECK(usual->end.exit_status == 0);
    CHECK(slow->end.exit_status == 0);
    CHECK(usual->out != slow->out);
    // A unit of the same latency that is asked in phases makes the same run.
    const fs::path phased =
        built(source_path("tests/package/phased-unit"), "phased-unit", {installed_headers()});
    const auto record_of = [&](const fs::path& library) {
      return nlohmann::json::parse(output_of(
          {installed_nplab(), "run", "ls", "--packets", "300", "--chip",
           (folder / "slow-memory" / "chip.yaml").string(), "--set",
           "memory={sram: {rules: 0x700000}}", "--unit",
           "slow-memory=" + library.string() + ",latency_ns=700", "--quiet", "--json", "-"}));
    };
    const auto blocking = record_of(build / "libslow-memory.so");
    const auto phases = record_of(phased / "libphased.so");
    // References to memory count when they are served, those in phases when they are answered: what
    // is under way at the stop differs.
    for (const char* part : {"cycles", "packets", "ports", "latency_cycles", "engines"}) {
      INFO(part);
      CHECK(blocking.at(part) == phases.at(part));
    }
  }
}

namespace {

// The package, unpacked, in a folder that every user may read.
struct UnpackedPackage {
  TemporaryFolder folder;
  fs::path file;
  fs::path root;
};

UnpackedPackage unpacked_package() {
  Diagnostics diagnostics;
  auto folder = TemporaryFolder::create("nplab-debian-test", diagnostics);
  REQUIRE(folder);
  fs::permissions(folder->path(), fs::perms(0755));
  output_of({NPLAB_CPACK, "--config", binary_path() + "/CPackConfig.cmake", "-D",
             "CPACK_COMPONENTS_ALL=command"},
            folder->path());
  fs::path file;
  for (const auto& entry : fs::directory_iterator(folder->path()))
    if (entry.path().extension() == ".deb")
      file = entry.path();
  REQUIRE(!file.empty());
  const fs::path root = folder->path() / "root";
  output_of({"dpkg-deb", "-x", file.string(), root.string()});
  return {std::move(*folder), file, root};
}

// As a user without rights and without a home folder, where this process may become one.
Command unprivileged(Command command) {
  if (::geteuid() != 0)
    return command;
  command.insert(command.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                   "env", "-u", "HOME", "-u", "NPLAB_CACHE"});
  return command;
}

}  // namespace

TEST_CASE("the Debian package has what Debian asks for, and its command runs in an empty folder") {
  Diagnostics diagnostics;
  const auto tool =
      run_process({.command = {"sh", "-c", "command -v dpkg-shlibdeps"}}, diagnostics);
  if (!tool || tool->end.exit_status != 0) {
    WARN("skipped: dpkg-shlibdeps is not installed");
    return;
  }
  const UnpackedPackage package = unpacked_package();
  for (const char* file :
       {"bin/nplab", "share/man/man1/nplab.1.gz", "share/doc/nplab/copyright",
        "share/doc/nplab/changelog.gz", "share/bash-completion/completions/nplab",
        "share/zsh/vendor-completions/_nplab", "share/fish/vendor_completions.d/nplab.fish"}) {
    INFO(file);
    CHECK(fs::file_size(package.root / "usr" / file) > 0);
  }
  CHECK_FALSE(fs::exists(package.root / "usr/share/nplab/docs/labs/solutions"));
  CHECK_FALSE(fs::exists(package.root / "usr/include"));
  const std::string needs = output_of({"dpkg-deb", "-f", package.file.string(), "Depends"});
  for (const char* library :
       {"libllvm19", "libclang-cpp19", "libsystemc", "libyaml-cpp", "libzip4"}) {
    INFO(library);
    CHECK(needs.find(library) != std::string::npos);
  }
  const fs::path empty = package.folder.path() / "empty";
  fs::create_directories(empty);
  const std::string shown =
      output_of(unprivileged({(package.root / "usr/bin/nplab").string(), "compare", "ls", "bv1",
                              "bv2", "--packets", "500"}),
                empty);
  CHECK(shown.find("bv2 is best") != std::string::npos);
  CHECK(fs::is_empty(empty));
}
