// The source line of every control-store word, from an object's DWARF sections.
#pragma once

#include "isa/mc/linked_object.h"

namespace nplab::isa {

// Fills image.lines (as many as image.words) and image.files.
void read_line_table(const LinkedObject& object, ProgramImage& image);

}  // namespace nplab::isa
