// Follows docs/extending/adding-a-memory-policy.md: the class that the page shows is compiled as it
// stands there, and the files that it names exist.
#include <bit>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "simulator/arbitration/arbiter.h"
#include "tests/paths.h"

namespace nplab::simulator {

#include "memory_policy_page.gen.inc"

}  // namespace nplab::simulator

namespace {

namespace fs = std::filesystem;
using nplab::simulator::Cycle;

struct ThreeRequesters {
  std::uint64_t asked = 0;
  [[nodiscard]] std::uint64_t asking() const { return asked; }
  [[nodiscard]] Cycle since(unsigned) const { return Cycle(); }
};

std::set<std::string> files_named_on_the_page() {
  std::ifstream stream(nplab::source_path("docs/extending/adding-a-memory-policy.md"));
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  static const std::regex file(R"re(`([a-z_./]+\.(h|cpp))`)re");
  std::set<std::string> files;
  for (std::sregex_iterator at(page.begin(), page.end(), file), end; at != end; ++at)
    files.insert((*at)[1]);
  return files;
}

bool exists(const std::string& file) {
  if (file.find('/') != std::string::npos)
    return fs::exists(nplab::source_path(file));
  for (const char* folder : {"simulator", "tests/simulator"})
    for (const auto& entry : fs::recursive_directory_iterator(nplab::source_path(folder)))
      if (entry.path().filename() == file)
        return true;
  return false;
}

}  // namespace

TEST_CASE("the policy shown on the page is an arbitration policy and chooses what the page says") {
  using Policy = nplab::simulator::HighestFirst;
  STATIC_REQUIRE(nplab::simulator::ArbitrationPolicy<Policy, ThreeRequesters>);
  const Policy policy(3);
  CHECK(policy.choose(ThreeRequesters{0b011}) == 1);
  CHECK(policy.choose(ThreeRequesters{0b101}) == 2);
  CHECK(policy.choose(ThreeRequesters{0b001}) == 0);
}

TEST_CASE("the page on policies names files that exist, except the one that its reader adds") {
  const std::string added = "simulator/arbitration/my_policy.h";
  const std::set<std::string> files = files_named_on_the_page();
  CHECK(files.contains(added));
  CHECK(files.contains("simulator/arbitration/policies.h"));
  for (const std::string& file : files) {
    INFO(file);
    CHECK(exists(file) == (file != added));
  }
}
