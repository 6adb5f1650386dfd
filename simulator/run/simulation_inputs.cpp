// The constraints on the inputs of a run, and the source line of a control-store word.
#include <fmt/format.h>

#include "simulator/run/simulation.h"

namespace nplab::simulator {
namespace {

const char* name_of(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "SRAM";
    case isa::MemorySpace::kSdram: return "SDRAM";
    case isa::MemorySpace::kScratch: break;
  }
  return "scratch";
}

std::uint32_t bytes_of(const ChipDescription& chip, isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return chip.sram.bytes;
    case isa::MemorySpace::kSdram: return chip.sdram.bytes;
    case isa::MemorySpace::kScratch: break;
  }
  return chip.scratch.bytes;
}

void check_program(const ChipDescription& chip, std::size_t engine, const LoadedProgram& program,
                   Diagnostics& diagnostics) {
  const SourceLocation where{program.image.name, 0, 0};
  if (engine >= chip.engine.engines)
    diagnostics.error(where, fmt::format("engine {} does not exist: the chip {} has {}", engine,
                                         chip.name, chip.engine.engines));
  for (const ContextId context : program.contexts)
    if (context.index() >= chip.engine.contexts)
      diagnostics.error(where,
                        fmt::format("thread {} does not exist: an engine of the chip {} has {}",
                                    context.index(), chip.name, chip.engine.contexts));
  if (program.image.words.empty())
    diagnostics.error(where, "the program is empty");
  if (program.image.words.size() > chip.engine.control_store_words)
    diagnostics.error(
        where,
        fmt::format("the program has {} instructions; the control store of the chip {} holds {}",
                    program.image.words.size(), chip.name, chip.engine.control_store_words));
  for (const isa::DataSegment& segment : program.image.data) {
    const std::uint64_t end = segment.address + 4ull * segment.longwords.size();
    if (segment.address % 4 != 0 || end > bytes_of(chip, segment.space))
      diagnostics.error(
          where,
          fmt::format("initialised data at {:#x} to {:#x} lies outside the {} of {} bytes",
                      segment.address, end, name_of(segment.space), bytes_of(chip, segment.space)));
  }
}

}  // namespace

bool check_inputs(const SimulationInputs& inputs, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors().size();
  for (std::size_t engine = 0; engine < inputs.engines.size(); ++engine)
    if (inputs.engines[engine])
      check_program(inputs.chip, engine, *inputs.engines[engine], diagnostics);
  for (const InitialLongword& longword : inputs.memory) {
    if (longword.address % 4 == 0 && longword.address < bytes_of(inputs.chip, longword.space))
      continue;
    diagnostics.error(
        {"memory image", 0, 0},
        fmt::format("address {:#x} lies outside the {} of {} bytes, or is not a multiple of 4",
                    longword.address, name_of(longword.space),
                    bytes_of(inputs.chip, longword.space)));
    break;  // one says it for all
  }
  if (inputs.free_lists.size() > inputs.chip.sram.free_lists)
    diagnostics.error({"memory image", 0, 0},
                      fmt::format("{} free lists; the chip {} has {}", inputs.free_lists.size(),
                                  inputs.chip.name, inputs.chip.sram.free_lists));
  if (inputs.core != nullptr && inputs.chip.engine.engines == kMostEngines)
    diagnostics.error(
        {"core processor", 0, 0},
        fmt::format(
            "no number is left for it on the command bus: {} has {} engines, and {} are the most",
            inputs.chip.name, inputs.chip.engine.engines, kMostEngines - 1));
  return diagnostics.errors().size() == errors_before;
}

std::string source_of(const isa::ProgramImage& image, std::uint32_t pc) {
  if (pc >= image.lines.size())
    return {};
  const isa::SourceLine& line = image.lines[pc];
  if (line.line == 0 || line.file >= image.files.size())
    return {};
  return fmt::format("{}:{}", image.files[line.file], line.line);
}

}  // namespace nplab::simulator
