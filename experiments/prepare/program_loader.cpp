#include "experiments/prepare/program_loader.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "support/input_file.h"

namespace nplab::experiments {

std::optional<isa::ProgramImage> load_program(const std::string& path,
                                              const compiler::CompileOptions& options,
                                              Diagnostics& diagnostics,
                                              const isa::SymbolValues& symbols,
                                              compiler::CompileReport* report) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  const auto extension = std::filesystem::path(path).extension();
  if (extension == ".c")
    return compiler::compile(file->bytes, path, options, diagnostics, report);
  const auto object = extension == ".s" ? isa::assemble(file->bytes, path, diagnostics, symbols)
                                        : std::optional(file->bytes);
  if (!object)
    return std::nullopt;
  auto image = isa::load_object(*object, path, options.data, diagnostics);
  if (image && image->words.size() > options.control_store_words) {
    diagnostics.error({path, 0, 0},
                      fmt::format("the program has {} words; the control store holds {}",
                                  image->words.size(), options.control_store_words));
    return std::nullopt;
  }
  return image;
}

}  // namespace nplab::experiments
