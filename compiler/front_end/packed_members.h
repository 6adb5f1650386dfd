// Pointers to members of packed structures that may be misaligned.
#pragma once

#include "compiler/front_end/source_report.h"

namespace nplab::compiler {

// Calls `report` with the place and the member's name where the address of a misaligned member is
// taken, or an array in one decays, and the pointer is not at once that of bytes. Access to a
// member by its name is right anyway: the compiler knows its alignment there.
void find_misaligned_members(clang::ASTContext& context, const SourceReport& report);

}  // namespace nplab::compiler
