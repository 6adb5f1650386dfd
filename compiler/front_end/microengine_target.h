// The microengine as Clang knows targets: sizes, byte order, address spaces, inline assembly.
#pragma once

namespace clang {
class CompilerInstance;
}

namespace nplab::compiler {

// After its invocation and its diagnostics are made. CompilerInstance::createTarget would refuse
// the triple.
void set_microengine_target(clang::CompilerInstance& clang);

}  // namespace nplab::compiler
