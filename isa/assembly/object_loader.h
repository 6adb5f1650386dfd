// Loads one object, from the assembler or the compiler, as a program for a microengine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::isa {

// Links the object by itself: code from word 0, the sections .sram, .sdram and .scratch (also
// .sram.<more> ...) one after the other from their bases, relocations, line table, annotations,
// symbols. Undefined symbols, sections of other names, relocations that do not fit and damaged
// objects are errors, all named at once. How many words there are is not limited here.
std::optional<ProgramImage> load_object(std::string_view bytes, const std::string& name,
                                        const DataBases& bases, Diagnostics& diagnostics);

}  // namespace nplab::isa
