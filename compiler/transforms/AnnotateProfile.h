// Branch weights from a profile by source line: block placement and guess_branch follow them.
#pragma once

#include <vector>

#include "compiler/options/compile_options.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {

// Nothing for an empty profile. A branch is weighed when both ways, or one and what leads to it,
// have lines of their own.
void annotate_profile(llvm::Module& module, const std::vector<LineCount>& profile);

}  // namespace nplab::compiler
