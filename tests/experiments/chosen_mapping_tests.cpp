#include <catch2/catch.hpp>
#include <fstream>

#include "experiments/prepare/chosen_mapping.h"
#include "support/temporary_folder.h"

using namespace nplab::experiments;
using Words = std::vector<std::string>;

TEST_CASE("an argument of compare is a mapping with overrides of its own",
          "[experiments][compare]") {
  const auto [argument, name, set] = GENERATE(table<std::string, std::string, Words>({
      {"bv2", "bv2", {}},
      {"bv2:optimize=2", "bv2", {"optimize=2"}},
      {"bv2:optimize=2:stages.classify.threads=2",
       "bv2",
       {"optimize=2", "stages.classify.threads=2"}},
      {"bv2:workload.updates=gen:count", "bv2", {"workload.updates=gen:count"}},
      {"folder:name", "folder:name", {}},
  }));
  const ChosenMapping chosen = parse_chosen_mapping(argument);
  CHECK(chosen.name == name);
  CHECK(chosen.set == set);
}

TEST_CASE("an argument of compare that names a file is that file", "[experiments][compare]") {
  nplab::Diagnostics diagnostics;
  const auto folder = nplab::TemporaryFolder::create("nplab-test", diagnostics);
  REQUIRE(folder);
  const std::string path = (folder->path() / "a:b=1").string();
  CHECK(parse_chosen_mapping(path).name == (folder->path() / "a").string());
  std::ofstream(path) << "mapping: x\n";
  CHECK(parse_chosen_mapping(path).name == path);
  CHECK(parse_chosen_mapping(path).set.empty());
}
