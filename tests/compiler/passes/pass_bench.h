// Single passes of the compiler on LLVM's textual forms, with LLVM's own FileCheck: what a pass
// makes of a piece of code. IR for compiler/transforms, MIR (machine code as LLVM prints it) for
// compiler/backend.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class FunctionPass;
class MachineFunction;
}  // namespace llvm

namespace nplab::test {

// A pass of machine code: one that LLVM runs, or a step that the assembly printer calls.
using MachinePass = std::function<llvm::FunctionPass*()>;
MachinePass machine_step(std::function<void(llvm::MachineFunction&)> step);

// The blocks of `int main(void)`: `blocks` is what stands behind `body: |` in MIR; `attributes` the
// function's, in IR. The machine verifier runs behind the passes; errors that they report follow as
// lines `error: ...`.
std::string after_machine_passes(const std::string& blocks, const std::vector<MachinePass>& passes,
                                 const std::string& attributes = "",
                                 const llvm::MicroengineOptions& options = {});
// The same for what fills slots, behind which the verifier does not know a block any more.
std::string after_slot_passes(const std::string& blocks, const std::vector<MachinePass>& passes);

// Runs `add` on a pass manager for functions, then gives the module's text.
std::string after_ir_passes(const std::string& ir,
                            const std::function<void(llvm::FunctionPassManager&)>& add);
// The same for what works on a module.
std::string after_ir_step(const std::string& ir, const std::function<void(llvm::Module&)>& step);

// Empty if `text` is as the lines `CHECK: ...` of `directives` say
// (llvm.org/docs/CommandGuide/FileCheck.html); else what is not, behind the whole text.
std::string file_check(const std::string& text, const std::string& directives);

}  // namespace nplab::test
