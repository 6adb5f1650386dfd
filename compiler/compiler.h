// Microengine C to assembly, an object or a program image. See README.md for the way through, and
// include/microengine.h for the language's additions.
#pragma once

#include <optional>
#include <string>

#include "compiler/options/compile_options.h"
#include "compiler/options/compile_report.h"
#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::compiler {

// `source` is the text, `file` its name in diagnostics and line tables. Nothing is returned when
// the program is wrong or does not fit; `diagnostics` then says why, with FILE:LINE:COLUMN.
std::optional<std::string> compile_to_assembly(const std::string& source, const std::string& file,
                                               const CompileOptions& options,
                                               Diagnostics& diagnostics,
                                               CompileReport* report = nullptr);

// The bytes of an ELF object (isa/assembly/object_loader.h reads it).
std::optional<std::string> compile_to_object(const std::string& source, const std::string& file,
                                             const CompileOptions& options,
                                             Diagnostics& diagnostics,
                                             CompileReport* report = nullptr);

// Compiled, linked by itself, ready to load.
std::optional<isa::ProgramImage> compile(const std::string& source, const std::string& file,
                                         const CompileOptions& options, Diagnostics& diagnostics,
                                         CompileReport* report = nullptr);

}  // namespace nplab::compiler
