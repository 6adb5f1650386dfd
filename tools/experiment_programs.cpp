// Compiles an experiment's programs.
#include <algorithm>

#include "compiler/compiler.h"
#include "tools/compile_options.h"
#include "tools/experiment.h"
#include "tools/program_loader.h"

namespace nplab::tools {
namespace {

compiler::CompileOptions options_for(const Experiment& experiment, unsigned engine) {
  compiler::CompileOptions options;
  const auto& word = mappings::optimize_words().at(static_cast<std::size_t>(experiment.placement.optimize));
  options.optimization = optimization_named(word).value();
  options.include_directories = library_folders();
  options.include_directories.push_back(experiment.placement.algorithm_folder);
  options.control_store_words = experiment.chip.engine.control_store_words;
  const auto& areas = experiment.placement.variables;
  const auto area = std::find_if(areas.begin(), areas.end(), [engine](const auto& candidate) {
    return candidate.engine == engine && candidate.space != isa::MemorySpace::kSdram;
  });
  if (area != areas.end()) options.frame = {area->space, area->base, area->bytes_per_thread};
  return options;
}

}  // namespace

std::optional<std::vector<EngineProgram>> compile_programs(const Experiment& experiment, Diagnostics& diagnostics) {
  auto composed = compose_programs(experiment, diagnostics);
  if (!composed) return std::nullopt;
  const auto errors = diagnostics.errors().size();
  std::vector<EngineProgram> programs;
  for (auto& program : *composed) {
    const auto options = options_for(experiment, program.engine);
    auto image = program.file.empty() ? compiler::compile(program.source, program.name, options, diagnostics)
                                      : load_program(program.file, options, diagnostics);
    if (image) programs.push_back({std::move(program), std::move(*image)});
  }
  if (diagnostics.errors().size() != errors) return std::nullopt;
  return programs;
}

}  // namespace nplab::tools
