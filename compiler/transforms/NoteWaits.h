// Functions that wait, as __waits_for_room and the like of microengine.h mark them.
#pragma once

#include "llvm/IR/Module.h"

namespace nplab::compiler {

// Remembers them for the code generator (backend/MicroengineWaits.h) by their debug information,
// which survives inlining, and takes the attribute out of the module: as Clang leaves it there it
// would keep the functions alive. Without debug information nothing is remembered.
void note_waits(llvm::Module& module);

}  // namespace nplab::compiler
