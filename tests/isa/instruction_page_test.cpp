// Follows docs/extending/adding-an-instruction.md: its records are added to the description, and
// the generator must know the instruction then.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/temporary_folder.h"
#include "tests/paths.h"

namespace {

namespace fs = std::filesystem;
using namespace nplab;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The page's records in their order: the function, its operand forms, the pattern.
std::vector<std::string> records_of_the_page() {
  const std::string page = text_of(source_path("docs/extending/adding-an-instruction.md"));
  static const std::regex block("```tablegen\n([^`]*)```");
  std::vector<std::string> records;
  for (std::sregex_iterator at(page.begin(), page.end(), block), end; at != end; ++at)
    records.push_back((*at)[1]);
  return records;
}

void append(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::app) << text;
}

std::string generated(const fs::path& description, const std::string& what) {
  Diagnostics diagnostics;
  const auto result = run_successfully({{NPLAB_DECODER_GENERATOR, what, "-I", description.string(),
                                         "-I", NPLAB_LLVM_INCLUDE, description / "microengine.td"}},
                                       diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  return result->out;
}

}  // namespace

TEST_CASE("the records of the page on instructions give an instruction to engine and assembler") {
  const std::vector<std::string> records = records_of_the_page();
  REQUIRE(records.size() == 3);
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::create("nplab-instruction", diagnostics);
  REQUIRE(folder);
  const fs::path description = folder->path() / "description";
  fs::copy(source_path("isa/description"), description, fs::copy_options::recursive);
  append(description / "alu.td", records[0] + records[1]);
  append(description / "code_generation.td", records[2]);

  CHECK(generated(source_path("isa/description"), "-gen-operations").find("kAluNor") ==
        std::string::npos);
  CHECK(generated(description, "-gen-operations").find("kAluNor") != std::string::npos);
  CHECK(generated(description, "-gen-assembly-syntax").find("~OR") != std::string::npos);
  CHECK(generated(description, "-gen-alu-functions").find("ALU_LOGIC(alu_nor, ~(a | b))") !=
        std::string::npos);
}
