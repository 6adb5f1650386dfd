#include "compiler/compiler.h"

#include <bit>
#include <functional>
#include <memory>

#include "compiler/code_generation.h"
#include "compiler/front_end/front_end.h"
#include "compiler/front_end/source_inputs.h"
#include "compiler/program_key.h"
#include "compiler/report_bytes.h"
#include "compiler/transforms/CheckAddresses.h"
#include "compiler/transforms/CheckProgram.h"
#include "compiler/transforms/LowerAtomics.h"
#include "compiler/transforms/LowerSharedVariables.h"
#include "compiler/transforms/NoteWaits.h"
#include "compiler/transforms/PrepareMain.h"
#include "compiler/transforms/ResolveTargets.h"
#include "isa/assembly/object_loader.h"
#include "isa/mc/fatal_errors.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

struct Compilation {
  std::optional<std::string> output;
  Diagnostics found;
  CompileReport report;
  std::vector<SourceInput> inputs;
};

// Where a compilation that does not come to its end is, as far as is known.
using Reached = std::function<void(const SourceLocation& location, const std::string& stage)>;

Compilation compile_here(OutputKind kind, const std::string& source, const std::string& file,
                         const CompileOptions& options, const Reached& reached) {
  Compilation result;
  Diagnostics& found = result.found;
  auto context = std::make_unique<llvm::LLVMContext>();
  reached({file, 1, 1}, "reading the program");
  SourceLocation token{file, 1, 1};  // the last one that the front end was given
  bool is_read = false;
  const auto fatal = isa::run_to_fatal_error([&] {
    if (std::unique_ptr<llvm::Module> module =
            parse_c(source, file, options, *context, found, result.report.warnings, result.inputs,
                    [&](const SourceLocation& place) { token = place; })) {
      is_read = true;
      note_waits(*module);
      prepare_main(*module);
      resolve_targets(*module);
      lower_atomics(*module, found);
      lower_shared_variables(*module, file, found);
      check_program(*module, file, found);
      check_addresses(*module, result.report.warnings);
      if (found.has_errors())
        return;
      reached(declared_at(*module->getFunction("main"), file), "generating its code");
      result.output = generate_code(*module, file, options, kind, found, result.report);
    }
  });
  if (fatal)
    (void)context.release();  // it may be half changed, and what used it was not destroyed
  // After an error the front end goes on with what it could not understand.
  if (fatal && !found.has_errors() && !is_read)
    found.error(token,
                "the C front end crashes at this place: the statement has an error that it cannot "
                "report");
  else if (fatal && !found.has_errors())
    found.error({file, 1, 1}, "the compiler cannot go on with this program: " + *fatal);
  if (found.has_errors())
    result.output.reset();
  return result;
}

std::string to_bytes(const Compilation& compilation) {
  ByteWriter writer;
  write_inputs(writer, compilation.inputs);
  writer.number(compilation.output.has_value());
  writer.text(compilation.output.value_or(""));
  writer.diagnostics(compilation.found);
  write_report(writer, compilation.report);
  return writer.bytes();
}

Compilation from_bytes(const std::string& bytes) {
  Compilation compilation;
  ByteReader reader(bytes);
  compilation.inputs = read_inputs(reader);
  const bool has_output = reader.number() != 0;
  std::string output = reader.text();
  if (has_output)
    compilation.output = std::move(output);
  reader.diagnostics(compilation.found);
  compilation.report = read_report(reader);
  return compilation;
}

Compilation compile_bounded(OutputKind kind, const std::string& source, const std::string& file,
                            const CompileOptions& options) {
  const BoundedResult result = run_bounded(options.bounds, [&](const Announce& announce) {
    return to_bytes(compile_here(kind, source, file, options,
                                 [&](const SourceLocation& location, const std::string& stage) {
                                   ByteWriter writer;
                                   writer.diagnostic({location, stage});
                                   announce(writer.bytes());
                                 }));
  });
  if (result.end == BoundedResult::End::kFinished)
    return from_bytes(result.bytes);
  Compilation compilation;
  Diagnostic reached{{file, 1, 1}, "beginning"};
  if (!result.stage.empty())
    reached = ByteReader(result.stage).diagnostic();
  compilation.found.error(std::move(reached.location),
                          "compiling this program " + why_unfinished(result, options.bounds) +
                              " (" + reached.message +
                              "): make it smaller, or compile it with a lower -O level");
  return compilation;
}

// What was compiled before, if all that it was compiled from is as it was.
std::optional<Compilation> kept_compilation(const ContentCache& cache, const std::string& key) {
  const std::optional<std::string> bytes = cache.find(key);
  if (!bytes)
    return std::nullopt;
  try {
    Compilation compilation = from_bytes(*bytes);
    if (compilation.output && are_unchanged(compilation.inputs))
      return compilation;
  } catch (const std::runtime_error&) {
    // Not what a compiler of this build wrote; compiled again.
  }
  return std::nullopt;
}

Compilation compile_or_recall(OutputKind kind, const std::string& source, const std::string& file,
                              const CompileOptions& options) {
  const auto key = options.cache
                       ? program_key(kind == OutputKind::kAssembly ? "assembly" : "object", source,
                                     file, options)
                       : std::nullopt;
  if (!key)
    return compile_bounded(kind, source, file, options);
  if (auto kept = kept_compilation(*options.cache, *key))
    return std::move(*kept);
  Compilation compilation = compile_bounded(kind, source, file, options);
  if (compilation.output && are_stable(compilation.inputs))
    options.cache->store(*key, to_bytes(compilation));
  return compilation;
}

std::optional<std::string> compile_to(OutputKind kind, const std::string& source,
                                      const std::string& file, const CompileOptions& options,
                                      Diagnostics& diagnostics, CompileReport* report) {
  Compilation compilation = compile_or_recall(kind, source, file, options);
  diagnostics.append(compilation.found);
  if (report)
    *report = std::move(compilation.report);
  return std::move(compilation.output);
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
    diagnostics.error({file, 1, 1},
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
