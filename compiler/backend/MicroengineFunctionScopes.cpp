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

unsigned MicroengineFunctionScopes::returnRegisterOf(const MachineFunction& Into) {
  if (!isMicroengineCalled(Into.getFunction()))
    return nplab::isa::SourceScope::kNoReturn;
  return Into.getSubtarget().getRegisterInfo()->getEncodingValue(
      microengineReturnRegister(Into.getFunction()));
}

MicroengineFunctionScopes::Scope MicroengineFunctionScopes::functionScope(const Origin& Of) {
  Scope Added;
  Added.Function = text(Of.Place->getName());
  Added.CallFile = text("");
  Added.ReturnRegister = nplab::isa::SourceScope::kNoReturn;
  if (!Of.InlinedAt) {
    Added.ReturnRegister = Of.ReturnRegister;
    return Added;
  }
  Added.Around =
      scopeOf({Of.InlinedAt->getScope(), Of.InlinedAt->getInlinedAt(), Of.ReturnRegister});
  Added.CallFile = text(Of.InlinedAt->getFilename());
  Added.CallLine = Of.InlinedAt->getLine();
  return Added;
}

// The scope's number; those around it come before it.
unsigned MicroengineFunctionScopes::scopeOf(Origin Of) {
  Of.Place = Of.Place->getNonLexicalBlockFileScope();
  if (const auto Found = NumberOf.find({Of.Place, Of.InlinedAt}); Found != NumberOf.end())
    return Found->second;
  Scope Added;
  if (const auto* Block = dyn_cast<DILexicalBlock>(Of.Place)) {
    Added.Function = Added.CallFile = text("");
    Added.ReturnRegister = nplab::isa::SourceScope::kNoReturn;
    Added.Around = scopeOf({Block->getScope(), Of.InlinedAt, Of.ReturnRegister});
  } else {
    Added = functionScope(Of);
    Functions.push_back(Of);
  }
  Scopes.push_back(Added);
  return NumberOf[{Of.Place, Of.InlinedAt}] = Scopes.size();
}

std::vector<std::pair<MicroengineFunctionScopes::Variable, unsigned>>
MicroengineFunctionScopes::variables(const std::vector<Variable>& Placed) {
  std::vector<std::pair<Variable, unsigned>> All;
  const std::vector<Origin> Known = Functions;  // scopes are added on the way
  for (const Origin& Function : Known)
    for (const DINode* Node : cast<DISubprogram>(Function.Place)->getRetainedNodes())
      if (const auto* One = dyn_cast<DILocalVariable>(Node))
        All.push_back({{One, Function.InlinedAt},
                       scopeOf({One->getScope(), Function.InlinedAt, Function.ReturnRegister})});
  for (const Variable& One : Placed)
    if (none_of(All, [&](const auto& Other) { return Other.first == One; }))
      All.push_back(
          {One, scopeOf({One.first->getScope(), One.second, nplab::isa::SourceScope::kNoReturn})});
  return All;
}

void MicroengineFunctionScopes::note(const MachineInstr& Instruction, MCStreamer& Streamer) {
  const MachineFunction& Into = *Instruction.getMF();
  const DISubprogram* Program = Into.getFunction().getSubprogram();
  if (!Program)
    return end(Streamer);
  // What has no place in the source, such as the frame's set-up, belongs to the function itself.
  const DILocation* Place = Instruction.getDebugLoc().get();
  const unsigned Return = returnRegisterOf(Into);
  const unsigned Number =
      Place ? scopeOf({cast<DILocalScope>(Place->getScope()), Place->getInlinedAt(), Return})
            : scopeOf({Program, nullptr, Return});
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
         {One.Function, One.Around, One.CallFile, One.CallLine, One.ReturnRegister})
      Streamer.emitIntValue(Number, 4);
  for (const Range& One : Ranges) {
    Streamer.emitSymbolValue(One.Begin, 4);
    Streamer.emitSymbolValue(One.End, 4);
    Streamer.emitIntValue(One.Scope, 4);
  }
  Streamer.emitBytes(Texts);
}
