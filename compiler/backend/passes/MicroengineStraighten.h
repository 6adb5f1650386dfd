// Fewer unconditional branches through a better order of blocks.
#pragma once

namespace llvm {

class FunctionPass;

FunctionPass* createMicroengineStraighten();

}  // namespace llvm
