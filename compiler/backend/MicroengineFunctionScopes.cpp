#include "compiler/backend/MicroengineFunctionScopes.h"

#include "compiler/backend/MicroengineCalledFunctions.h"
#include "isa/mc/function_scopes.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"

using namespace llvm;

unsigned MicroengineFunctionScopes::text(StringRef Text) {
  const auto [Found, IsNew] = PlaceOfText.try_emplace(Text.str(), Texts.size());
  if (IsNew)
    Texts += Text.str() + '\0';
  return Found->second;
}

// The scope's number; those that it is inlined into come before it.
unsigned MicroengineFunctionScopes::scopeOf(const DISubprogram* Function,
                                            const DILocation* InlinedAt,
                                            const MachineFunction& Into) {
  if (const auto Found = NumberOf.find({Function, InlinedAt}); Found != NumberOf.end())
    return Found->second;
  Scope Added;
  Added.Function = text(Function->getName());
  Added.CallFile = text("");
  Added.ReturnRegister = nplab::isa::FunctionScope::kNoReturn;
  if (InlinedAt) {
    Added.InlinedInto =
        scopeOf(InlinedAt->getScope()->getSubprogram(), InlinedAt->getInlinedAt(), Into);
    Added.CallFile = text(InlinedAt->getFilename());
    Added.CallLine = InlinedAt->getLine();
  } else if (isMicroengineCalled(Into.getFunction())) {
    Added.ReturnRegister = Into.getSubtarget().getRegisterInfo()->getEncodingValue(
        microengineReturnRegister(Into.getFunction()));
  }
  Scopes.push_back(Added);
  return NumberOf[{Function, InlinedAt}] = Scopes.size();
}

void MicroengineFunctionScopes::note(const MachineInstr& Instruction, MCStreamer& Streamer) {
  const MachineFunction& Into = *Instruction.getMF();
  const DISubprogram* Program = Into.getFunction().getSubprogram();
  if (!Program)
    return end(Streamer);
  // What has no place in the source, such as the frame's set-up, belongs to the function itself.
  const DILocation* Place = Instruction.getDebugLoc().get();
  const unsigned Number =
      Place ? scopeOf(Place->getScope()->getSubprogram(), Place->getInlinedAt(), Into)
            : scopeOf(Program, nullptr, Into);
  if (Number == Current)
    return;
  end(Streamer);
  Current = Number;
  Ranges.push_back({Streamer.getContext().createTempSymbol("scope"), nullptr, Number});
  Streamer.emitLabel(Ranges.back().Begin);
}

void MicroengineFunctionScopes::end(MCStreamer& Streamer) {
  if (Current == 0)
    return;
  Current = 0;
  Ranges.back().End = Streamer.getContext().createTempSymbol("scope_end");
  Streamer.emitLabel(Ranges.back().End);
}

void MicroengineFunctionScopes::write(MCStreamer& Streamer) const {
  Streamer.switchSection(Streamer.getContext().getELFSection(nplab::isa::kFunctionScopesSection,
                                                             ELF::SHT_PROGBITS, 0));
  Streamer.emitIntValue(nplab::isa::kFunctionScopesVersion, 4);
  Streamer.emitIntValue(Texts.size(), 4);
  Streamer.emitIntValue(Scopes.size(), 4);
  for (const Scope& One : Scopes)
    for (const unsigned Number :
         {One.Function, One.InlinedInto, One.CallFile, One.CallLine, One.ReturnRegister})
      Streamer.emitIntValue(Number, 4);
  for (const Range& One : Ranges) {
    Streamer.emitSymbolValue(One.Begin, 4);
    Streamer.emitSymbolValue(One.End, 4);
    Streamer.emitIntValue(One.Scope, 4);
  }
  Streamer.emitBytes(Texts);
}
