// Profiles of a run as input of the next one's compilation, and what the compiler's benchmark
// promises.
#include <unistd.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() /
          ("nplab-" + std::to_string(::getpid()) + "-" + name))
      .string();
}

}  // namespace

TEST_CASE("a profile of one run is what the next is compiled with, and every packet is still right",
          "[profile]") {
  const std::string profile = temporary("profile.json");
  const Words run{"run", "ls", "--packets", "300", "--quiet", "--set", "optimize=2"};
  REQUIRE(call_nplab(run + Words{"--profile-out", profile}).status == 0);
  const auto lines = nlohmann::json::parse(std::ifstream(profile));
  CHECK(lines.at("schema") == "nplab.profile/1");
  CHECK(lines.at("lines").size() > 20);
  const auto plain = record_of({"ls", "--packets", "300", "--set", "optimize=2"});
  const auto guided =
      record_of({"ls", "--packets", "300", "--set", "optimize=2", "--profile", profile});
  check_record(guided);
  CHECK(guided.at("state_hash") != plain.at("state_hash"));  // the programs differ
  CHECK_FALSE(plain.at("inputs").contains("profile"));
  CHECK(guided.at("inputs").at("profile").at("name").get<std::string>().ends_with("profile.json"));
  CHECK(guided.at("inputs").at("profile").at("sha256").get<std::string>().size() == 64);
  std::filesystem::remove(profile);
}

TEST_CASE("what is not a profile is refused with where one comes from", "[profile]") {
  const std::string file = temporary("wrong.json");
  for (const char* text : {"", "{", "{\"schema\": \"nplab.run/1\", \"lines\": []}",
                           "{\"schema\": \"nplab.profile/1\", \"lines\": [{\"engine\": 1}]}"}) {
    std::ofstream(file) << text;
    const Outcome outcome = call_nplab({"check", "ls", "--profile", file});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("--profile-out"));
  }
  std::filesystem::remove(file);
  CHECK(call_nplab({"check", "ls", "--profile", file}).status == 2);
}

TEST_CASE("the compiler's benchmark shows what -O2 saves of the published experiment",
          "[profile]") {
  const Outcome outcome = call_nplab({"bench", "compiler", "--packets", "300"});
  REQUIRE(outcome.status == 0);
  const auto bench = nlohmann::json::parse(outcome.out);
  CHECK(bench.at("schema") == "nplab.bench_compiler/1");
  for (const char* mapping : {"ls", "bv1"}) {
    const auto& cut = bench.at("published_experiment").at("mappings").at(mapping).at("cut");
    INFO(mapping << cut.dump());
    CHECK(cut.at("aborted").get<double>() > 0.5);
    CHECK(cut.at("executed_and_aborted").get<double>() > 0.3);
    CHECK(cut.at("words").get<double>() > 0);
    CHECK(bench.at("compile_s").at(mapping).at("2").get<double>() > 0);
  }
  CHECK(bench.at("code_size").at("kernels").size() == 21);
  INFO("six kernels by hand, which give what the compiled ones give");
  CHECK(bench.at("hand_written").at("kernels").size() == 6);
}
