// A debugger's programs have the words of plain runs: keeping variables changes no listed mapping.
#include <catch2/catch.hpp>

#include "experiments/prepare/data_directory.h"
#include "experiments/run/prepared_run.h"
#include "mappings/files/catalog.h"

namespace nplab::test {
namespace {

using namespace experiments;

PreparedRun prepared(const std::string& mapping, compiler::VariableRecord variables) {
  ExperimentOptions options;
  options.packets = 1;
  options.variables = variables;
  Diagnostics diagnostics;
  auto run = prepare_run(mapping, options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(run);
  return std::move(*run);
}

TEST_CASE("keeping variables changes no word of any listed mapping") {
  const mappings::Catalog catalog((data_directory() / "mappings").string());
  unsigned programs = 0;
  for (const mappings::MappingListing& listing : catalog.mappings()) {
    INFO(listing.name);
    const PreparedRun plain = prepared(listing.path, compiler::VariableRecord::kNone);
    const PreparedRun kept = prepared(listing.path, compiler::VariableRecord::kKept);
    REQUIRE(plain.programs.size() == kept.programs.size());
    for (std::size_t i = 0; i < plain.programs.size(); ++i) {
      CHECK(plain.programs[i].image.words == kept.programs[i].image.words);
      CHECK(plain.programs[i].image.files == kept.programs[i].image.files);
      programs += kept.programs[i].image.variables.variables.empty() ? 0 : 1;
    }
  }
  CHECK(programs > 100);
}

}  // namespace
}  // namespace nplab::test
