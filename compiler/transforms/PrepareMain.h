// The function in which every thread starts, as C has it.
#pragma once

namespace llvm {
class Module;
}

namespace nplab::compiler {

// Gives `int main(int, char **)` the arguments 0 and a null pointer, so that it becomes
// `int main(void)`, and lets a main that ends without `return` return 0.
void prepare_main(llvm::Module& module);

}  // namespace nplab::compiler
