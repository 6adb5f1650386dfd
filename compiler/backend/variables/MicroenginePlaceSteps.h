// LLVM's descriptions of variables' places (DBG_VALUE, DIExpression) as steps of the variable
// table.
#pragma once

#include <optional>
#include <vector>

#include "compiler/backend/variables/MicroengineVariablePlaces.h"

namespace llvm {

// The parts that a DBG_VALUE is about. Without steps: their values are lost, or computed in a way
// that the table does not express.
std::vector<MicroenginePlace> microenginePlacesOf(const MachineInstr& Value);

// Nothing: the expression is not one that the table has.
std::optional<MicroenginePlace> microenginePlaceInFrame(const MachineFunction& Function,
                                                        const DILocalVariable& Variable,
                                                        const DIExpression& Expression,
                                                        MCRegister Base, int64_t Offset);

}  // namespace llvm
