// Variables of a program that stands still, found by the compiler's table.
#pragma once

#include <string>
#include <vector>

#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/machine_reader.h"
#include "experiments/debugging/program_object.h"
#include "isa/program_image.h"

namespace nplab::experiments {

// Of a frame: those of its innermost block first, parameters before locals; each is seen unless one
// of the same name stands before it.
std::vector<const isa::ProgramVariable*> variables_of(const isa::ProgramImage& image,
                                                      const CallFrame& frame);

// The variable as the frame has it.
ProgramObject object_of_variable(const isa::VariableTable& table,
                                 const isa::ProgramVariable& variable, const CallFrame& frame,
                                 const MachineReader& reader);
// Where that is: "in a3", "in scratch:0x40", "constant", "computed from a3"; empty: nowhere.
std::string place_text(const isa::ProgramVariable& variable, const CallFrame& frame,
                       const MachineReader& reader);

}  // namespace nplab::experiments
