// Compiles an experiment's programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "compiler/compiler.h"
#include "experiments/prepare/compile_options.h"
#include "experiments/prepare/experiment.h"
#include "experiments/prepare/profile.h"
#include "experiments/prepare/program_loader.h"
#include "experiments/prepare/record_names.h"
#include "isa/assembly/object_loader.h"

namespace nplab::experiments {
namespace {

// The places of one engine's variables, and the compilation of its program into them: each
// memory's area holds the contexts' frames, if they lie there, and the engine's global variables
// after them. Frames lie in scratch; where they do not fit there, in SRAM.
class EngineCompiler {
 public:
  EngineCompiler(const Experiment& experiment, const mappings::ComposedProgram& program)
      : experiment_(experiment), program_(program) {
    options_.optimization =
        optimization_named(mappings::optimize_words().at(
                               static_cast<std::size_t>(experiment.placement().optimize)))
            .value();
    options_.include_directories = library_folders();
    options_.include_directories.push_back(experiment.placement().algorithm_folder);
    options_.cache = program_cache();
    options_.bounds = experiment.options.compile_bounds;
    options_.variables = experiment.options.variables;
    options_.control_store_words = experiment.chip.engine.control_store_words;
    add_thread_bits(experiment.chip.engine.contexts, options_);
    for (const auto& area : experiment.placement().variables) {
      if (area.engine == program.engine)
        areas_.push_back(area);
    }
    std::sort(areas_.begin(), areas_.end(),
              [](const auto& a, const auto& b) { return rank(a.space) < rank(b.space); });
  }

  std::optional<isa::ProgramImage> compile(Diagnostics& diagnostics) {
    if (program_.source.empty())
      return load_written(diagnostics);
    if (!experiment_.options.profile.empty()) {
      auto profile = read_profile(experiment_.options.profile, program_.engine, diagnostics);
      if (!profile)
        return std::nullopt;
      options_.profile = std::move(*profile);
    }
    for (const mappings::VariableArea& area : areas_) {
      if (area.space == isa::MemorySpace::kSdram && area.bytes_per_thread == 0)
        continue;
      Diagnostics found;
      const auto misfits = misfits_.size();
      auto image = compile_into(area, found);
      if (image)
        return image;
      if (misfits_.size() == misfits) {
        diagnostics.append(found);
        return std::nullopt;
      }
    }
    if (misfits_.empty())
      misfits_.emplace_back("it has no area for frames: set variables");
    report_misfits(diagnostics);
    return std::nullopt;
  }

 private:
  static int rank(isa::MemorySpace space) {
    return space == isa::MemorySpace::kScratch ? 0 : space == isa::MemorySpace::kSram ? 1 : 2;
  }

  [[nodiscard]] const mappings::VariableArea* area_in(isa::MemorySpace space) const {
    const auto at = std::find_if(areas_.begin(), areas_.end(),
                                 [&](const auto& area) { return area.space == space; });
    return at == areas_.end() ? nullptr : &*at;
  }

  [[nodiscard]] std::uint32_t bytes_of(const mappings::VariableArea& area) const {
    return experiment_.placement().contexts * area.bytes_per_thread;
  }

  // Data after `frame_bytes` in the memory of the frames, at the area's base in the others.
  [[nodiscard]] isa::DataBases data_bases(isa::MemorySpace frames,
                                          std::uint32_t frame_bytes) const {
    const auto base = [&](isa::MemorySpace space) {
      const auto* area = area_in(space);
      return area == nullptr ? 0 : area->base + (space == frames ? frame_bytes : 0);
    };
    return {base(isa::MemorySpace::kSram), base(isa::MemorySpace::kSdram),
            base(isa::MemorySpace::kScratch)};
  }

  // Nothing, with misfits_, when frames or variables are larger than their areas; nothing, with
  // diagnostics, when the program is wrong.
  std::optional<isa::ProgramImage> compile_into(const mappings::VariableArea& area,
                                                Diagnostics& found) {
    options_.frame = {area.space, area.base, area.bytes_per_thread,
                      experiment_.placement().contexts};
    compiler::CompileReport report;
    const auto object =
        compiler::compile_to_object(program_.source, program_.name, options_, found, &report);
    const std::uint32_t frame = report.frame_bytes == 0 ? 0 : std::bit_ceil(report.frame_bytes);
    if (!object) {
      if (frame > area.bytes_per_thread) {
        misfits_.push_back(fmt::format("{} frames of {} bytes in {}, which has {} a thread",
                                       experiment_.placement().contexts, frame,
                                       mappings::memory_name(area.space), area.bytes_per_thread));
      }
      return std::nullopt;
    }
    const std::uint32_t frames = experiment_.placement().contexts * frame;
    auto image = isa::load_object(*object, program_.name, data_bases(area.space, frames), found);
    return image && variables_fit(*image, area.space, frames) ? image : std::nullopt;
  }

  std::optional<isa::ProgramImage> load_written(Diagnostics& diagnostics) {
    options_.data = data_bases(isa::MemorySpace::kScratch, 0);
    auto image = load_program(program_.file, options_, diagnostics, program_.symbols);
    if (image && variables_fit(*image, isa::MemorySpace::kScratch, 0))
      return image;
    if (image)
      report_misfits(diagnostics);
    return std::nullopt;
  }

  bool variables_fit(const isa::ProgramImage& image, isa::MemorySpace frame_space,
                     std::uint32_t frame_bytes) {
    const auto misfits = misfits_.size();
    for (const isa::MemorySpace space :
         {isa::MemorySpace::kScratch, isa::MemorySpace::kSram, isa::MemorySpace::kSdram}) {
      std::uint64_t bytes = 0;
      for (const isa::DataSegment& segment : image.data) {
        if (segment.space == space)
          bytes += 4 * segment.longwords.size();
      }
      const auto* area = area_in(space);
      const std::uint32_t frames = space == frame_space ? frame_bytes : 0;
      const std::uint32_t room = area == nullptr ? 0 : bytes_of(*area);
      if (bytes == 0 || bytes + frames <= room)
        continue;
      misfits_.push_back(fmt::format(
          "{}{} bytes of global variables in {}, where engine {} has {} threads x {} = {}",
          frames == 0 ? "" : fmt::format("{} bytes of frames and ", frames), bytes,
          mappings::memory_name(space), program_.engine, experiment_.placement().contexts,
          area == nullptr ? 0 : area->bytes_per_thread, room));
    }
    return misfits_.size() == misfits;
  }

  void report_misfits(Diagnostics& diagnostics) const {
    const SourceLocation& at = experiment_.mapping.variables.begin()->second.location;
    diagnostics.error(
        {at.file, at.line, at.column},
        fmt::format(
            "the variables of engine {} ({}) do not fit: {}. `variables: {{sram: BYTES}}` (or "
            "scratch, sdram) reserves more a thread",
            program_.engine, program_.role, fmt::join(misfits_, "; ")));
  }

  const Experiment& experiment_;
  const mappings::ComposedProgram& program_;
  compiler::CompileOptions options_;
  std::vector<mappings::VariableArea>
      areas_;  // of the engine: scratch, SRAM, SDRAM, where there are any
  std::vector<std::string> misfits_;
};

// The files that the user named, by their names.
void name_files(const mappings::Placement& placement, isa::ProgramImage& image) {
  std::vector<std::string> given;
  for (const mappings::TaskDeclaration& task : placement.tasks)
    given.push_back(task.source);
  for (const mappings::Stage& stage : placement.stages) {
    if (!stage.program.empty())
      given.push_back(stage.program);
  }
  for (std::string& file : image.files)
    file = record_name(file, given);
  image.name = record_name(image.name, given);
}

}  // namespace

std::optional<CompiledProgram> compile_program(const Experiment& experiment,
                                               const mappings::ComposedProgram& program,
                                               Diagnostics& diagnostics) {
  auto image = EngineCompiler(experiment, program).compile(diagnostics);
  if (!image)
    return std::nullopt;
  name_files(experiment.placement(), *image);
  return CompiledProgram{program, std::move(*image)};
}

std::optional<std::vector<CompiledProgram>> compile_programs(const Experiment& experiment,
                                                             Diagnostics& diagnostics) {
  auto composed = compose_programs(experiment, diagnostics);
  if (!composed)
    return std::nullopt;
  const auto errors = diagnostics.errors().size();
  if (const std::string& profile = experiment.options.profile;
      !profile.empty() && !read_profile(profile, 0, diagnostics))
    return std::nullopt;
  std::vector<CompiledProgram> programs;
  for (const auto& program : *composed) {
    if (auto compiled = compile_program(experiment, program, diagnostics))
      programs.push_back(std::move(*compiled));
  }
  if (diagnostics.errors().size() != errors)
    return std::nullopt;
  return programs;
}

}  // namespace nplab::experiments
