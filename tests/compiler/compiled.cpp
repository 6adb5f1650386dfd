#include "tests/compiler/compiled.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/chip_text.h"

namespace nplab::test {

const simulator::ChipDescription& test_chip() {
  static const simulator::ChipDescription chip = [] {
    Diagnostics diagnostics;
    const auto root = chip_text("test", diagnostics);
    REQUIRE(root);
    auto description = simulator::read_chip(*root, diagnostics);
    REQUIRE(description);
    return *description;
  }();
  return chip;
}

compiler::CompileOptions options_at(compiler::Optimization level) {
  compiler::CompileOptions options;
  options.optimization = level;
  options.verify = compiler::MachineVerifier::kOn;
  options.frame = {isa::MemorySpace::kSram, 0x1000, 0x10000};
  options.data.sram = 0x100000;
  return options;
}

std::vector<std::string> instructions_of(const std::string& source, compiler::Optimization level) {
  Diagnostics diagnostics;
  const auto text = compiler::compile_to_assembly("#include <microengine.h>\n" + source, "test.c",
                                                  options_at(level), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(text);
  std::vector<std::string> instructions;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(".section") != std::string::npos)
      break;
    const auto start = line.find_first_not_of(" \t");
    if (start == std::string::npos ||
        (line[start] == '.' && line.back() != '#' && line.find(':') == std::string::npos &&
         line.find(".console") == std::string::npos && line.find(".packet") == std::string::npos &&
         line.find(".abort") == std::string::npos && line.find(".poll") == std::string::npos))
      continue;
    instructions.push_back(line.substr(start));
  }
  return instructions;
}

unsigned count(const std::vector<std::string>& instructions, const std::string& text) {
  unsigned found = 0;
  for (const std::string& instruction : instructions)
    found += instruction.find(text) != std::string::npos;
  return found;
}

std::string refusal_of(const std::string& source, compiler::CompileOptions options) {
  Diagnostics diagnostics;
  const auto object = compiler::compile_to_object(source, "test.c", options, diagnostics);
  CHECK_FALSE(object);
  return diagnostics.to_string();
}

simulator::ExecResult run(const std::string& source, const std::string& file,
                          const compiler::CompileOptions& options, unsigned threads) {
  Diagnostics diagnostics;
  auto image = compiler::compile(source, file, options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return run_image(std::move(*image), threads);
}

simulator::ExecResult run_image(isa::ProgramImage image, unsigned threads) {
  simulator::ExecInputs inputs;
  inputs.chip = test_chip();
  inputs.image = std::move(image);
  inputs.threads = threads;
  simulator::ExecResult result = simulator::exec(inputs);
  if (result.fault)
    FAIL("fault: " << result.fault->message << " at " << result.fault->source);
  CHECK(result.ended);
  return result;
}

}  // namespace nplab::test
