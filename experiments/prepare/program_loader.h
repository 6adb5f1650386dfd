// A program from a file of any kind: microengine C, assembly or an object.
#pragma once

#include <optional>
#include <string>

#include "compiler/compiler.h"
#include "isa/assembly/assembler.h"
#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Told by the extension: .c is compiled with `options`, .s assembled with `symbols` defined,
// anything else loaded as an object. A program of more words than `options.control_store_words` is
// refused. `report` gets what the compiler says besides, when it is not null.
std::optional<isa::ProgramImage> load_program(const std::string& path,
                                              const compiler::CompileOptions& options,
                                              Diagnostics& diagnostics,
                                              const isa::SymbolValues& symbols = {},
                                              compiler::CompileReport* report = nullptr);

}  // namespace nplab::experiments
