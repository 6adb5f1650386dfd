// The source line of every control-store word, from an object's DWARF sections.
#pragma once

#include "isa/mc/linked_object.h"

namespace nplab::isa {

// The only version that is written and read: LLVM 19 does not survive all damage to line tables of
// version 5.
constexpr std::uint16_t kDwarfVersion = 4;

// Fills image.lines (as many as image.words) and image.files. Reports line tables of other
// versions; words that a damaged table does not reach have no line.
void read_line_table(const LinkedObject& object, ProgramImage& image, Diagnostics& diagnostics);

}  // namespace nplab::isa
