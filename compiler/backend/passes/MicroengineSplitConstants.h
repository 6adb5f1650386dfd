// Constants that meet others at a join are loaded on the way there.
#pragma once

namespace llvm {

class FunctionPass;

FunctionPass* createMicroengineSplitConstants();

}  // namespace llvm
