// One run of LLVM's code generator over a module, under given settings.
#pragma once

#include <string>
#include <vector>

#include "compiler/back_end_diagnostics.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/compiler.h"

namespace llvm {
class Module;
}

namespace nplab::compiler {

enum class OutputKind { kAssembly, kObject };

// What a program is compiled for; the same in every attempt at it.
struct GenerationTask {
  const llvm::Module& module;
  const CompileOptions& options;
  OutputKind kind;
  const SourcePlaces& places;
};

struct GenerationResult {
  std::string output;       // meaningless after an error
  Diagnostics diagnostics;  // errors: the program cannot be generated with these settings
  std::vector<Remark> remarks;
  std::uint32_t frame_bytes = 0;
  llvm::MicroengineTargetMachine::CountsBySource counts;
  std::map<std::string, unsigned> call_sites;  // of functions that are called, by name
  llvm::MicroengineTargetMachine::Usage usage;
};

// The options that no attempt changes.
llvm::MicroengineOptions engine_options(const CompileOptions& options);

std::unique_ptr<llvm::MicroengineTargetMachine> create_target(
    const llvm::MicroengineOptions& options);

// Leaves the module as it is.
GenerationResult generate(const GenerationTask& task, const llvm::MicroengineOptions& settings);

// Generates again, with LLVM's verifier of machine code after every pass; it ends the compilation
// at a defect.
void verify_generation(const GenerationTask& task, const llvm::MicroengineOptions& settings);

}  // namespace nplab::compiler
