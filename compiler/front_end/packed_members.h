// Pointers to members of packed structures that may be misaligned.
#pragma once

#include <functional>
#include <string>

namespace clang {
class ASTContext;
class SourceLocation;
}  // namespace clang

namespace nplab::compiler {

// Calls `report` with the place and the member's name where the address of a misaligned member is
// taken, or an array in one decays, and the pointer is not at once that of bytes. Access to a
// member by its name is right anyway: the compiler knows its alignment there.
void find_misaligned_members(
    clang::ASTContext& context,
    const std::function<void(clang::SourceLocation, const std::string&)>& report);

}  // namespace nplab::compiler
