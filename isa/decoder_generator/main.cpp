// Our own TableGen backend: writes from the microengine's description what LLVM has no generator
// for.
#include "llvm/TableGen/Main.h"
#include "isa/decoder_generator/emitters.h"
#include "llvm/Support/CommandLine.h"

namespace {

using namespace nplab::isa::generator;
using Emitter = void (*)(llvm::raw_ostream&, const llvm::RecordKeeper&);

enum class Output {
  kOperations,
  kDecoder,
  kAssemblySyntax,
  kAluFunctions,
  kReferenceTraits,
  kReference
};

llvm::cl::opt<Output> output(
    llvm::cl::desc("what to write:"), llvm::cl::Required,
    llvm::cl::values(clEnumValN(Output::kOperations, "gen-operations", "enumerations and names"),
                     clEnumValN(Output::kDecoder, "gen-decoder", "decoder tables"),
                     clEnumValN(Output::kAssemblySyntax, "gen-assembly-syntax", "assembler tables"),
                     clEnumValN(Output::kAluFunctions, "gen-alu-functions", "ALU functions"),
                     clEnumValN(Output::kReferenceTraits, "gen-reference-traits",
                                "operands of references"),
                     clEnumValN(Output::kReference, "gen-reference", "reference page (Markdown)")));

Emitter emitter_of(Output wanted) {
  switch (wanted) {
    case Output::kOperations: return emit_operations;
    case Output::kDecoder: return emit_decoder;
    case Output::kAssemblySyntax: return emit_assembly_syntax;
    case Output::kAluFunctions: return emit_alu_functions;
    case Output::kReferenceTraits: return emit_reference_traits;
    case Output::kReference: return emit_reference;
  }
  return nullptr;
}

bool emit(llvm::raw_ostream& out, llvm::RecordKeeper& records) {
  emitter_of(output)(out, records);
  return false;  // TableGen's convention: no error
}

}  // namespace

int main(int argc, char** argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  return llvm::TableGenMain(argv[0], emit);
}
