// One program on one engine or several, from its file to the figures of its run: what `nplab exec`
// does.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "simulator/run/exec.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct ProgramRunOptions {
  std::string file;                                 // .c is compiled, .s assembled, .o loaded
  std::string chip = "test";                        // a name or file
  std::vector<std::string> set;                     // chip.KEY=VALUE
  std::vector<simulator::LongwordRange> memory;     // to read at the end
  std::vector<simulator::InitialLongword> initial;  // besides the program's own data
  unsigned engines = 1;                             // from engine 0
  unsigned threads = 1;                             // contexts per engine, from context 0
  simulator::Mode mode = simulator::Mode::kWindows;
  simulator::Cycles most_cycles = 1'000'000'000;
};

// Reads the chip and makes the program ready to run on it; `report` gets what the compiler said.
// All errors at once, with those that `diagnostics` has already: then nothing is compiled, and
// nothing is returned.
std::optional<simulator::ExecInputs> prepare_program_run(const ProgramRunOptions& options,
                                                         compiler::CompileOptions compile,
                                                         compiler::CompileReport& report,
                                                         Diagnostics& diagnostics);

// nplab.exec/1: return value, console, memory and cycles by state.
nlohmann::ordered_json program_run_json(const simulator::ExecInputs& inputs,
                                        const simulator::ExecResult& result);

// `cycle 120, word 7, a.c:12: message`.
std::string fault_text(const simulator::Fault& fault);

}  // namespace nplab::experiments
