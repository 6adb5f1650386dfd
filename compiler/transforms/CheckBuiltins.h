// Builtin functions of Clang, and what it makes of C that has no instruction of LLVM's.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class CallBase;
}

namespace nplab::compiler {

// Why the microengine cannot do what a call of an LLVM intrinsic asks for; nothing if it can.
std::optional<std::string> builtin_problem(const llvm::CallBase& call);

}  // namespace nplab::compiler
