// Compiling and running small programs in tests, always with LLVM's machine verifier on.
#pragma once

#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "simulator/run/exec.h"

namespace nplab::test {

inline constexpr compiler::Optimization kLevels[] = {
    compiler::Optimization::kO0, compiler::Optimization::kO1, compiler::Optimization::kO2,
    compiler::Optimization::kOs, compiler::Optimization::kPublished};

// The chip of `nplab exec`.
const simulator::ChipDescription& test_chip();

// Frames and plain variables in SRAM, apart from each other.
compiler::CompileOptions options_at(compiler::Optimization level);

// The instructions of `int main(void)` in `source`, one a string, without directives; labels are
// kept.
std::vector<std::string> instructions_of(const std::string& source, compiler::Optimization level);

// How many instructions contain the text.
unsigned count(const std::vector<std::string>& instructions, const std::string& text);

// What the compiler has to say against a source that it must refuse, `FILE:LINE:COLUMN: error: ...`
// a line.
std::string refusal_of(const std::string& source, compiler::CompileOptions options = {});

simulator::ExecResult run(const std::string& source, const std::string& file,
                          const compiler::CompileOptions& options, unsigned threads = 1);
simulator::ExecResult run_image(isa::ProgramImage image, unsigned threads = 1);

}  // namespace nplab::test
