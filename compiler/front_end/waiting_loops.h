// Loops that wait for another thread and cannot see what it does.
#pragma once

#include "compiler/front_end/source_report.h"

namespace nplab::compiler {

// Calls `report` with the place of the condition and the reason for each loop that reads a plain
// variable in memory and does nothing else (it is read once: `volatile` is missing), and for each
// that waits for a __shared variable and never yields the engine, on which no other thread can
// then run (`ctx_swap()` is missing).
void find_waiting_loops(clang::ASTContext& context, const SourceReport& report);

}  // namespace nplab::compiler
