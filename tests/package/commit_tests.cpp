// The commit that a build writes into the program (cmake/WriteCommit.cmake).
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/temporary_folder.h"
#include "tests/paths.h"

using namespace nplab;

namespace {

namespace fs = std::filesystem;

// A checkout of its own, and what the build writes there.
class Checkout {
 public:
  Checkout() {
    Diagnostics diagnostics;
    folder_ = TemporaryFolder::create("nplab-commit-test", diagnostics);
    REQUIRE(folder_);
    fs::create_directories(source() / "tools");
    write("tools/main.cpp", "int main() {}\n");
  }

  [[nodiscard]] fs::path source() const { return folder_->path() / "checkout"; }
  [[nodiscard]] fs::path header() const { return folder_->path() / "commit.gen.h"; }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(source() / file) << text;
  }

  std::string git(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{"git", "-c", "user.name=Test", "-c",
                                     "user.email=test@localhost"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return output_of(command);
  }

  void commit_all() const {
    git({"init", "-q"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "All"});
  }

  [[nodiscard]] std::string head() const {
    const std::string text = git({"rev-parse", "--short", "HEAD"});
    return text.substr(0, text.find('\n'));
  }

  // What the build writes for `source`.
  std::string commit_of(const fs::path& source) const {
    output_of({NPLAB_CMAKE, "-DSOURCE=" + source.string(), "-DOUTPUT=" + header().string(), "-P",
               source_path("cmake/WriteCommit.cmake")});
    std::ifstream file(header());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto begin = text.find('"') + 1;
    return text.substr(begin, text.find('"', begin) - begin);
  }
  std::string commit() const { return commit_of(source()); }

 private:
  std::string output_of(const std::vector<std::string>& command) const {
    Diagnostics diagnostics;
    const auto result = run_successfully({.command = command, .folder = source()}, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(result);
    return result->out;
  }

  std::optional<TemporaryFolder> folder_;
};

}  // namespace

TEST_CASE("a build of what was committed names the commit") {
  const Checkout checkout;
  checkout.commit_all();
  CHECK(checkout.commit() == checkout.head());
}

TEST_CASE("a changed or a new source makes the commit dirty, a note beside the sources does not") {
  const Checkout checkout;
  checkout.commit_all();
  checkout.write("record.json", "{}");
  CHECK(checkout.commit() == checkout.head());
  checkout.write("tools/new.cpp", "");
  CHECK(checkout.commit() == checkout.head() + "-dirty");
  fs::remove(checkout.source() / "tools/new.cpp");
  CHECK(checkout.commit() == checkout.head());
  checkout.write("tools/main.cpp", "int main() { return 1; }\n");
  CHECK(checkout.commit() == checkout.head() + "-dirty");
}

TEST_CASE("the commit is unknown outside of a checkout, and below another project's") {
  const Checkout checkout;
  CHECK(checkout.commit() == "unknown");
  checkout.commit_all();
  CHECK(checkout.commit_of(checkout.source() / "tools") == "unknown");
}

TEST_CASE("the header stays as it is while the commit does, so that nothing is compiled again") {
  const Checkout checkout;
  checkout.commit_all();
  checkout.commit();
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(checkout.header(), long_ago);
  checkout.commit();
  CHECK(fs::last_write_time(checkout.header()) == long_ago);
}
