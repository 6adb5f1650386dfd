#include "compiler/compiler.h"

#include "compiler/code_generation.h"
#include "compiler/front_end.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

std::optional<std::string> compile_to(OutputKind kind, const std::string& source, const std::string& file,
                                      const CompileOptions& options, Diagnostics& diagnostics, CompileReport* report) {
  CompileReport scratch_report;
  if (!report) report = &scratch_report;
  Diagnostics found;
  llvm::LLVMContext context;
  std::optional<std::string> output;
  if (std::unique_ptr<llvm::Module> module = parse_c(source, file, options, context, found, report->warnings)) {
    check_program(*module, file, found);
    if (!found.has_errors()) output = generate_code(*module, file, options, kind, found, *report);
  }
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : output;
}

}  // namespace

std::optional<std::string> compile_to_assembly(const std::string& source, const std::string& file,
                                               const CompileOptions& options, Diagnostics& diagnostics,
                                               CompileReport* report) {
  return compile_to(OutputKind::kAssembly, source, file, options, diagnostics, report);
}

std::optional<std::string> compile_to_object(const std::string& source, const std::string& file,
                                             const CompileOptions& options, Diagnostics& diagnostics,
                                             CompileReport* report) {
  return compile_to(OutputKind::kObject, source, file, options, diagnostics, report);
}

}  // namespace nplab::compiler
