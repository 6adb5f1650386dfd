#include "compiler/compiler.h"

#include <bit>
#include <memory>

#include "compiler/code_generation.h"
#include "compiler/front_end/front_end.h"
#include "compiler/transforms/CheckProgram.h"
#include "compiler/transforms/LowerAtomics.h"
#include "compiler/transforms/LowerSharedVariables.h"
#include "compiler/transforms/NoteWaits.h"
#include "compiler/transforms/PrepareMain.h"
#include "isa/assembly/object_loader.h"
#include "isa/mc/fatal_errors.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

std::optional<std::string> compile_to(OutputKind kind, const std::string& source,
                                      const std::string& file, const CompileOptions& options,
                                      Diagnostics& diagnostics, CompileReport* report) {
  CompileReport scratch_report;
  if (!report)
    report = &scratch_report;
  Diagnostics found;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::optional<std::string> output;
  const auto fatal = isa::run_to_fatal_error([&] {
    if (std::unique_ptr<llvm::Module> module =
            parse_c(source, file, options, *context, found, report->warnings)) {
      note_waits(*module);
      prepare_main(*module);
      lower_atomics(*module, found);
      lower_shared_variables(*module, file, found);
      check_program(*module, file, found);
      if (!found.has_errors())
        output = generate_code(*module, file, options, kind, found, *report);
    }
  });
  if (fatal) {
    (void)context.release();  // it may be half changed, and what used it was not destroyed
    found.error({file, 0, 0}, "the compiler cannot go on with this program: " + *fatal);
  }
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : output;
}

// Variables and frames may share a memory, not a place in it.
bool frames_are_free(const isa::ProgramImage& image, const std::string& file,
                     const CompileOptions& options, const CompileReport& report,
                     Diagnostics& diagnostics) {
  std::uint32_t end =
      options.frame.base +
      (report.frame_bytes ? options.frame.contexts * std::bit_ceil(report.frame_bytes) : 0);
  for (const isa::DataSegment& segment : image.data) {
    std::uint32_t segment_end = segment.address + 4 * segment.longwords.size();
    if (segment.space != options.frame.space || segment.address >= end ||
        segment_end <= options.frame.base)
      continue;
    diagnostics.error({file, 0, 0},
                      "variables at bytes " + std::to_string(segment.address) + " to " +
                          std::to_string(segment_end) + " overlap the frames of locals at " +
                          std::to_string(options.frame.base) + " to " + std::to_string(end));
    return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> compile_to_assembly(const std::string& source, const std::string& file,
                                               const CompileOptions& options,
                                               Diagnostics& diagnostics, CompileReport* report) {
  return compile_to(OutputKind::kAssembly, source, file, options, diagnostics, report);
}

std::optional<std::string> compile_to_object(const std::string& source, const std::string& file,
                                             const CompileOptions& options,
                                             Diagnostics& diagnostics, CompileReport* report) {
  return compile_to(OutputKind::kObject, source, file, options, diagnostics, report);
}

std::optional<isa::ProgramImage> compile(const std::string& source, const std::string& file,
                                         const CompileOptions& options, Diagnostics& diagnostics,
                                         CompileReport* report) {
  CompileReport own_report;
  if (!report)
    report = &own_report;
  std::optional<std::string> object = compile_to_object(source, file, options, diagnostics, report);
  if (!object)
    return std::nullopt;
  std::optional<isa::ProgramImage> image =
      isa::load_object(*object, file, options.data, diagnostics);
  return image && frames_are_free(*image, file, options, *report, diagnostics) ? image
                                                                               : std::nullopt;
}

}  // namespace nplab::compiler
