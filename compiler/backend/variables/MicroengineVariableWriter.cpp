#include "compiler/backend/variables/MicroengineVariableWriter.h"

#include "compiler/backend/Microengine.h"
#include "isa/mc/variable_table_reader.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCStreamer.h"

using namespace llvm;
using nplab::isa::MemorySpace;
using nplab::isa::PlaceStep;
using nplab::isa::VariableType;

void MicroengineVariableWriter::close(std::vector<unsigned> Kept, MCStreamer& Streamer) {
  MCSymbol* Here = nullptr;
  erase_if(Open, [&](Range& One) {
    if (is_contained(Kept, One.Place))
      return false;
    if (!Here) {
      Here = Streamer.getContext().createTempSymbol("place_end");
      Streamer.emitLabel(Here);
    }
    One.End = Here;
    Closed.push_back(One);
    return true;
  });
}

void MicroengineVariableWriter::note(const MachineInstr& Instruction, MCStreamer& Streamer) {
  const MicroengineVariablePlaces::Numbers& Known = Places.before(Instruction);
  close(Known, Streamer);
  MCSymbol* Here = nullptr;
  for (const unsigned Place : Known) {
    if (any_of(Open, [&](const Range& One) { return One.Place == Place; }))
      continue;
    if (!Here) {
      Here = Streamer.getContext().createTempSymbol("place");
      Streamer.emitLabel(Here);
    }
    Open.push_back({Place, Here, nullptr});
  }
}

void MicroengineVariableWriter::end(MCStreamer& Streamer) {
  close({}, Streamer);
}

void MicroengineVariableWriter::number(uint64_t Value) const {
  Out->emitIntValue(static_cast<uint32_t>(Value), 4);
}

unsigned MicroengineVariableWriter::text(StringRef Text) {
  const auto [Found, IsNew] = PlaceOfText.try_emplace(Text.str(), Texts.size());
  if (IsNew)
    Texts += Text.str() + '\0';
  return Found->second;
}

void MicroengineVariableWriter::writeType(const VariableType& Type) {
  number(static_cast<uint32_t>(Type.kind));
  number(text(Type.name));
  number(Type.bytes);
  number(Type.element);
  number(static_cast<uint32_t>(Type.space));
  number(Type.elements);
  number(Type.members.size());
  for (const VariableType::Member& Member : Type.members) {
    number(text(Member.name));
    number(Member.type);
    number(Member.bit_offset);
    number(Member.bit_size);
  }
  number(Type.enumerators.size());
  for (const VariableType::Enumerator& Enumerator : Type.enumerators) {
    number(text(Enumerator.name));
    number(Enumerator.value);
  }
}

void MicroengineVariableWriter::writePart(const Range& Part) const {
  const nplab::isa::VariablePart& Place = Places[Part.Place].Part;
  Out->emitSymbolValue(Part.Begin, 4);
  Out->emitSymbolValue(Part.End, 4);
  number(Place.bit_offset);
  number(Place.bit_size);
  number(Place.is_in_memory);
  number(static_cast<uint32_t>(Place.space));
  number(Place.steps.size());
  for (const PlaceStep& Step : Place.steps) {
    number(static_cast<uint32_t>(Step.kind));
    number(Step.value);
  }
}

void MicroengineVariableWriter::writeVariable(const Instance& Variable, unsigned Scope,
                                              const std::vector<Range>& Parts) {
  number(text(Variable.first->getName()));
  number(Types.numberOf(Variable.first->getType()));
  number(Scope - 1);
  number(Variable.first->getArg());
  number(Variable.first->getLine());
  number(Parts.size());
  for (const Range& Part : Parts)
    writePart(Part);
}

namespace {

struct NamedGlobal {
  const GlobalVariable* Global;
  const DIGlobalVariable* Description;
};

std::vector<NamedGlobal> globalsOf(const Module& Program) {
  std::vector<NamedGlobal> All;
  for (const GlobalVariable& Global : Program.globals()) {
    SmallVector<DIGlobalVariableExpression*, 1> Descriptions;
    Global.getDebugInfo(Descriptions);
    if (!Global.isDeclaration() && !Descriptions.empty())
      All.push_back({&Global, Descriptions.front()->getVariable()});
  }
  return All;
}

}  // namespace

void MicroengineVariableWriter::writeGlobals(AsmPrinter& Printer, const Module& Program) {
  const std::vector<NamedGlobal> Globals = globalsOf(Program);
  number(Globals.size());
  for (const NamedGlobal& One : Globals) {
    MemorySpace Space = DefaultSpace;
    switch (One.Global->getAddressSpace()) {
      case MicroengineAddressSpace::kSram: Space = MemorySpace::kSram; break;
      case MicroengineAddressSpace::kSdram: Space = MemorySpace::kSdram; break;
      case MicroengineAddressSpace::kScratch: Space = MemorySpace::kScratch; break;
      default: break;
    }
    number(text(One.Description->getName()));
    number(Types.numberOf(One.Description->getType()));
    number(static_cast<uint32_t>(Space));
    Out->emitSymbolValue(Printer.getSymbol(One.Global), 4);
  }
}

void MicroengineVariableWriter::write(AsmPrinter& Printer, const Module& Program) {
  Out = Printer.OutStreamer.get();
  std::map<Instance, std::vector<Range>> PartsOf;
  for (const Range& One : Closed)
    PartsOf[{Places[One.Place].Variable, Places[One.Place].InlinedAt}].push_back(One);
  // Those of all functions that have words, with a place or without.
  std::vector<Instance> Placed;  // in the order of the words
  for (const Range& One : Closed)
    if (const Instance Variable{Places[One.Place].Variable, Places[One.Place].InlinedAt};
        !is_contained(Placed, Variable))
      Placed.push_back(Variable);
  const auto Variables = Scopes.variables(Placed);
  for (const auto& [Variable, Scope] : Variables)
    Types.numberOf(Variable.first->getType());
  for (const NamedGlobal& One : globalsOf(Program))
    Types.numberOf(One.Description->getType());
  // All texts are known before the first is written.
  for (const VariableType& Type : Types.all()) {
    text(Type.name);
    for (const VariableType::Member& Member : Type.members)
      text(Member.name);
    for (const VariableType::Enumerator& Enumerator : Type.enumerators)
      text(Enumerator.name);
  }
  for (const auto& [Variable, Scope] : Variables)
    text(Variable.first->getName());
  for (const NamedGlobal& One : globalsOf(Program))
    text(One.Description->getName());

  Out->switchSection(
      Out->getContext().getELFSection(nplab::isa::kVariableSection, ELF::SHT_PROGBITS, 0));
  number(nplab::isa::kVariableTableVersion);
  number(Texts.size());
  number(static_cast<uint32_t>(DefaultSpace));
  number(Types.all().size());
  for (const VariableType& Type : Types.all())
    writeType(Type);
  number(Variables.size());
  for (const auto& [Variable, Scope] : Variables)
    writeVariable(Variable, Scope, PartsOf[Variable]);
  writeGlobals(Printer, Program);
  Out->emitBytes(Texts);
}
