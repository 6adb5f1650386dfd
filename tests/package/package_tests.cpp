// What `cmake --install` installs, in a folder of the build tree, and a program that links it.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
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
    const std::string build = (fs::path(binary_path()) / "package-test" / "consumer").string();
    fs::remove_all(build);
    output_of({NPLAB_CMAKE, "-S", source_path("tests/package/consumer"), "-B", build,
               "-DCMAKE_PREFIX_PATH=" + installation().string(),
               std::string("-DCMAKE_CXX_COMPILER=") + NPLAB_CXX_COMPILER});
    output_of({NPLAB_CMAKE, "--build", build});
    std::istringstream lines(output_of({build + "/consumer"}, "/"));
    std::string subject, verb;
    double rate = 0;
    std::string unit;
    lines >> subject >> verb >> rate >> unit;
    CHECK(subject == "bv1");
    CHECK(rate > 100);
    CHECK(unit == "Mb/s");
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
