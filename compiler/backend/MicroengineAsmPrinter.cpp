// Machine instructions to MC, one by one: every instruction, those in slots too, has its own line
// in the line table.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineFunctionScopes.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/backend/MicroengineWaits.h"
#include "compiler/backend/passes/MicroengineFillFromSuccessors.h"
#include "compiler/backend/passes/MicroengineRemarks.h"
#include "compiler/backend/passes/MicroengineTestSigns.h"
#include "compiler/backend/variables/MicroengineVariableWriter.h"
#include "compiler/options/atomic_marks.h"
#include "isa/mc/half_expression.h"
#include "isa/mc/operand_check.h"
#include "isa/mc/target_streamer.h"
#include "isa/operand_text.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/PseudoSourceValue.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;

namespace {

// Words between a branch that is decided in P3, the latest, and a kill that it may skip.
constexpr unsigned kKillDistance = 2;

class MicroengineAsmPrinter : public AsmPrinter {
 public:
  MicroengineAsmPrinter(TargetMachine& Target, std::unique_ptr<MCStreamer> Streamer)
      : AsmPrinter(Target, std::move(Streamer)) {}

  StringRef getPassName() const override { return "microengine assembly printer"; }
  bool runOnMachineFunction(MachineFunction& Function) override {
    fillSlots(Function);
    noteUsage(Function);
    if (isMicroengineCalled(Function.getFunction()))
      static_cast<MicroengineTargetMachine&>(TM).calledFunctions().note(Function);
    for (const MachineBasicBlock& Block : Function)
      for (const MachineInstr& Instruction : Block)
        if (Instruction.isInlineAsm())
          countsOf(Instruction).Words += wordsOfAssembly(Instruction);
    return AsmPrinter::runOnMachineFunction(Function);
  }
  void emitInstruction(const MachineInstr* Instruction) override;
  void emitFunctionEntryLabel() override;
  void emitFunctionBodyEnd() override {
    Scopes.end(*OutStreamer);
    if (Variables)
      Variables->end(*OutStreamer);
  }
  void emitEndOfAsmFile(Module&) override;
  void emitBasicBlockEnd(const MachineBasicBlock& Block) override;
  void emitInlineAsmStart() const override { emitPendingAnnotations(); }
  bool PrintAsmOperand(const MachineInstr* Instruction, unsigned Number, const char* Modifier,
                       raw_ostream& Text) override;
  // Instructions follow branches in slots, which LLVM's own answer does not expect.
  bool isBlockOnlyReachableByFallthrough(const MachineBasicBlock*) const override { return false; }

 private:
  void fillSlots(MachineFunction& Function);
  MCOperand symbol(const MCSymbol* Symbol, int64_t Offset, unsigned Half);
  std::optional<MCOperand> lower(const MachineOperand& Operand);
  void emitCall(const MachineInstr& Call);
  void annotate(const MachineInstr& Instruction);
  void emitPendingAnnotations() const;
  void emitAnnotation(MicroengineTargetStreamer::Kind Kind, std::uint16_t First,
                      std::uint16_t Second) const;
  void markWaits(const MachineInstr& Instruction);
  void noteScope(const MachineInstr& Instruction);
  void keepKillOffBranches(const MCInst& Word, MicroengineTargetMachine::Counts& Counts);
  MicroengineTargetMachine::Counts& countsOf(const MachineInstr& Instruction);
  void noteUsage(const MachineFunction& Function);
  static void refuseWrongOperands(const MachineInstr& Instruction, const MCInst& Word);
  static unsigned wordsOfAssembly(const MachineInstr& Instruction);
  static void count(const MachineInstr& Instruction, MicroengineTargetMachine::Counts& Counts);

  // Of the word that follows. Labels of the line table may stand before it, and an annotation
  // stands after them, right before its word.
  struct PendingAnnotation {
    MicroengineTargetStreamer::Kind Kind;
    std::uint16_t Codes[2];
  };
  mutable SmallVector<PendingAnnotation, 2> Pending;

  MicroengineFunctionScopes Scopes;
  std::optional<MicroengineVariableWriter> Variables;  // where they are kept
  bool IsFirstFunction = true;
  std::optional<MicroengineWaits> Waits;
  unsigned WaitCode = 0;  // of the words emitted last

  // Of the words emitted last: how many stand after the last branch that is decided late.
  unsigned WordsAfterBranch = kKillDistance;
};

MCOperand MicroengineAsmPrinter::symbol(const MCSymbol* Symbol, int64_t Offset, unsigned Half) {
  const MCExpr* Expression = MCSymbolRefExpr::create(Symbol, OutContext);
  if (Offset)
    Expression =
        MCBinaryExpr::createAdd(Expression, MCConstantExpr::create(Offset, OutContext), OutContext);
  if (Half == Microengine::kLowHalf)
    Expression =
        MicroengineHalfExpr::create(MicroengineHalfExpr::Half::kLow, Expression, OutContext);
  if (Half == Microengine::kHighHalf)
    Expression =
        MicroengineHalfExpr::create(MicroengineHalfExpr::Half::kHigh, Expression, OutContext);
  return MCOperand::createExpr(Expression);
}

std::optional<MCOperand> MicroengineAsmPrinter::lower(const MachineOperand& Operand) {
  switch (Operand.getType()) {
    case MachineOperand::MO_Register:
      if (Operand.isImplicit())
        return std::nullopt;
      return MCOperand::createReg(Operand.getReg());
    case MachineOperand::MO_Immediate: return MCOperand::createImm(Operand.getImm());
    case MachineOperand::MO_MachineBasicBlock:
      return symbol(Operand.getMBB()->getSymbol(), 0, Microengine::kWholeSymbol);
    case MachineOperand::MO_GlobalAddress:
      return symbol(getSymbol(Operand.getGlobal()), Operand.getOffset(), Operand.getTargetFlags());
    case MachineOperand::MO_JumpTableIndex:
      return symbol(GetJTISymbol(Operand.getIndex()), 0, Microengine::kWholeSymbol);
    default: return std::nullopt;
  }
}

void MicroengineAsmPrinter::annotate(const MachineInstr& Instruction) {
  if (Instruction.getOperand(0).getImm() >= nplab::compiler::kAtomicBegin)
    return;
  const MCRegisterInfo& Registers = *OutContext.getRegisterInfo();
  std::uint16_t Codes[] = {nplab::isa::kNoRegister, nplab::isa::kNoRegister};
  for (unsigned Index = 0; Index + 1 < Instruction.getNumExplicitOperands(); ++Index) {
    const MachineOperand& Operand = Instruction.getOperand(Index + 1);
    Codes[Index] = Operand.isReg()
                       ? Registers.getEncodingValue(Operand.getReg())
                       : nplab::isa::kImmediateOperand | static_cast<unsigned>(Operand.getImm());
  }
  Pending.push_back(
      {static_cast<MicroengineTargetStreamer::Kind>(Instruction.getOperand(0).getImm()),
       {Codes[0], Codes[1]}});
}

void MicroengineAsmPrinter::emitAnnotation(MicroengineTargetStreamer::Kind Kind,
                                           std::uint16_t First, std::uint16_t Second) const {
  static_cast<MicroengineTargetStreamer&>(*OutStreamer->getTargetStreamer())
      .emit_annotation(Kind, First, Second);
}

void MicroengineAsmPrinter::emitPendingAnnotations() const {
  for (const PendingAnnotation& Annotation : Pending)
    emitAnnotation(Annotation.Kind, Annotation.Codes[0], Annotation.Codes[1]);
  Pending.clear();
}

// Marks where code of functions that wait begins and ends, in the order of words.
void MicroengineAsmPrinter::markWaits(const MachineInstr& Instruction) {
  if (!Waits)
    Waits.emplace(*MF->getFunction().getParent());
  const unsigned Code = Waits->codeAt(Instruction.getDebugLoc().get());
  if (Code == WaitCode)
    return;
  WaitCode = Code;
  emitAnnotation(MicroengineTargetStreamer::Kind::kWaitCode, nplab::isa::kImmediateOperand | Code,
                 nplab::isa::kNoRegister);
}

// Assembly names no scopes.
void MicroengineAsmPrinter::noteScope(const MachineInstr& Instruction) {
  if (!OutStreamer->hasRawTextSupport())
    Scopes.note(Instruction, *OutStreamer);
  if (Variables)
    Variables->note(Instruction, *OutStreamer);
}

void MicroengineAsmPrinter::emitEndOfAsmFile(Module& Program) {
  if (Variables)
    Variables->write(*this, Program);
  if (!OutStreamer->hasRawTextSupport())
    Scopes.write(*OutStreamer);
}

static nplab::isa::MemorySpace memoryOf(MicroengineAddressSpace::Space Space) {
  switch (Space) {
    case MicroengineAddressSpace::kSram: return nplab::isa::MemorySpace::kSram;
    case MicroengineAddressSpace::kSdram: return nplab::isa::MemorySpace::kSdram;
    default: return nplab::isa::MemorySpace::kScratch;
  }
}

// Where variables are is noted before, so that slots are filled as without them.
void MicroengineAsmPrinter::fillSlots(MachineFunction& Function) {
  const MicroengineOptions& Options =
      static_cast<const MicroengineTargetMachine&>(TM).engineOptions();
  if (Options.KeepsVariables && !Variables && !OutStreamer->hasRawTextSupport())
    Variables.emplace(memoryOf(Options.DefaultSpace), Scopes);
  MicroengineVariablePlaces Unused;
  MicroengineVariablePlaces& Places = Variables ? Variables->places() : Unused;
  if (Options.KeepsVariables)
    Places.take(Function);
  if (Options.FillSlots) {
    fillMicroengineSlots(Function);
    testMicroengineSignsByCodes(Function);
    if (Options.KeepsVariables)
      Places.forgetMoved(Function);
    fillMicroengineSlotsFromSuccessors(Function);
    if (Options.KeepsVariables)
      Places.forgetTakenFromSuccessors(Function);
    remarkMicroengineSlots(Function);
  }
  if (Variables)
    Places.forgetUnderWay(Function);
}

// Spills go to places of the frame that have no variable of the source.
static std::optional<int> spillPlaceOf(const MachineInstr& Reference) {
  for (const MachineMemOperand* Memory : Reference.memoperands())
    if (const PseudoSourceValue* Place = Memory->getPseudoValue();
        Place && Place->kind() == PseudoSourceValue::FixedStack)
      return cast<FixedStackPseudoSourceValue>(Place)->getFrameIndex();
  return std::nullopt;
}

static void countSpill(const MachineInstr& Reference, int Place,
                       MicroengineTargetMachine::Counts& Counts) {
  ++Counts.Spills;
  Counts.SpilledValues.insert(Place);
  if (const DebugLoc& Location = Reference.getDebugLoc(); Location && Location.getLine() != 0)
    Counts.SpillLines[cast<DIScope>(Location->getScope())->getFilename().str()].insert(
        Location.getLine());
}

void MicroengineAsmPrinter::count(const MachineInstr& Instruction,
                                  MicroengineTargetMachine::Counts& Counts) {
  using namespace Microengine;
  ++Counts.Words;
  if (Instruction.getNumExplicitOperands() == 0)
    return;
  const MachineOperand& Last = Instruction.getOperand(Instruction.getNumExplicitOperands() - 1);
  uint64_t Tokens = Last.isImm() ? Last.getImm() : 0;
  if (Microengine::isReference(Instruction.getDesc())) {
    ++Counts.References;
    if (Instruction.mayLoadOrStore() && !(Tokens & Microengine::kContextSwapToken))
      ++Counts.Overlapped;
    if (const std::optional<int> Place = spillPlaceOf(Instruction))
      countSpill(Instruction, *Place, Counts);
    Counts.FilledSlots += Tokens >> kReferenceDeferShift & kDeferTokens;
    MCRegister First = Instruction.getOperand(0).isReg()
                           ? Instruction.getOperand(0).getReg().asMCReg()
                           : MCRegister();
    const TargetRegisterInfo& Registers = *Instruction.getMF()->getSubtarget().getRegisterInfo();
    bool IsQuadword = Microengine::SDRAMRead_x2RegClass.contains(First) ||
                      Microengine::SDRAMWrite_x2RegClass.contains(First);
    if (First && Registers.getSubReg(First, Microengine::word1) && !IsQuadword)
      ++Counts.Bursts;
  } else if (abortClassOf(Instruction.getDesc()) != nplab::isa::AbortClass::kNone) {
    Counts.FilledSlots += Tokens & kDeferTokens;
    Counts.GuessedBranches +=
        Instruction.isConditionalBranch() && Tokens & kGuessBranchToken ? 1 : 0;
  }
}

// One statement per line; labels, directives and comments are not words.
unsigned MicroengineAsmPrinter::wordsOfAssembly(const MachineInstr& Instruction) {
  unsigned Words = 0;
  SmallVector<StringRef, 8> Lines;
  StringRef(Instruction.getOperand(InlineAsm::MIOp_AsmString).getSymbolName()).split(Lines, '\n');
  for (StringRef Line : Lines) {
    Line = Line.split(';').first.split("//").first.trim();
    if (size_t Label = Line.find("#:"); Label != StringRef::npos)
      Line = Line.drop_front(Label + 2).trim();
    if (!Line.empty() && Line.front() != '.')
      ++Words;
  }
  return Words;
}

bool MicroengineAsmPrinter::PrintAsmOperand(const MachineInstr* Instruction, unsigned Number,
                                            const char* Modifier, raw_ostream& Text) {
  const MachineOperand& Operand = Instruction->getOperand(Number);
  if (!(Modifier && *Modifier) && Operand.isReg()) {
    Text << nplab::isa::operand_text(static_cast<nplab::isa::OperandCode>(
        TM.getMCRegisterInfo()->getEncodingValue(Operand.getReg())));
    return false;
  }
  if (!(Modifier && *Modifier) && Operand.isImm()) {
    Text << Operand.getImm();
    return false;
  }
  return AsmPrinter::PrintAsmOperand(Instruction, Number, Modifier, Text);
}

void MicroengineAsmPrinter::noteUsage(const MachineFunction& Function) {
  auto Used = [&](const TargetRegisterClass& Class) -> unsigned {
    return count_if(
        Class, [&](MCPhysReg Register) { return Function.getRegInfo().isPhysRegUsed(Register); });
  };
  auto& Machine = static_cast<MicroengineTargetMachine&>(TM);
  MicroengineTargetMachine::Usage Most = Machine.usage();
  auto Raise = [&](unsigned& Count, const TargetRegisterClass& Class) {
    Count = std::max(Count, Used(Class));
  };
  Raise(Most.BankA, Microengine::GPRARegClass);
  Raise(Most.BankB, Microengine::GPRBRegClass);
  Raise(Most.SRAMRead, Microengine::SRAMReadRegClass);
  Raise(Most.SRAMWrite, Microengine::SRAMWriteRegClass);
  Raise(Most.SDRAMRead, Microengine::SDRAMReadRegClass);
  Raise(Most.SDRAMWrite, Microengine::SDRAMWriteRegClass);
  Machine.setUsage(Most);
}

MicroengineTargetMachine::Counts& MicroengineAsmPrinter::countsOf(const MachineInstr& Instruction) {
  const DebugLoc& Location = Instruction.getDebugLoc();
  StringRef Source = Location ? cast<DILocalScope>(Location->getScope())->getSubprogram()->getName()
                              : Instruction.getMF()->getName();
  return static_cast<MicroengineTargetMachine&>(TM).counts()[Source.str()];
}

// A kill that is fetched before a branch above it is decided ends the thread even where the branch
// is taken (docs/chip.md, `prefetched_kill`).
void MicroengineAsmPrinter::keepKillOffBranches(const MCInst& Word,
                                                MicroengineTargetMachine::Counts& Counts) {
  const bool IsKill = Word.getOpcode() == Microengine::CTX_ARB &&
                      (Word.getOperand(0).getImm() & Microengine::kKillEvent) != 0;
  MCInst Nop;
  Nop.setOpcode(Microengine::NOP);
  for (; IsKill && WordsAfterBranch < kKillDistance; ++WordsAfterBranch) {
    EmitToStreamer(*OutStreamer, Nop);
    ++Counts.Words;
  }
  using nplab::isa::AbortClass;
  const AbortClass Class = Microengine::abortClassOf(TM.getMCInstrInfo()->get(Word.getOpcode()));
  const bool IsLateBranch =
      Class == AbortClass::kCondition || Class == AbortClass::kState || Class == AbortClass::kTest;
  WordsAfterBranch = IsLateBranch ? 0 : WordsAfterBranch + 1;
}

// Constants of the program that an instruction's field cannot hold: the assembler would refuse
// them.
void MicroengineAsmPrinter::refuseWrongOperands(const MachineInstr& Instruction,
                                                const MCInst& Word) {
  const std::optional<std::string> Problem = nplab::isa::operand_problem(Word);
  if (!Problem)
    return;
  const Function& Program = Instruction.getMF()->getFunction();
  Program.getContext().diagnose(
      DiagnosticInfoUnsupported(Program, *Problem, Instruction.getDebugLoc()));
}

// Threads start at the first word, and callees stand before main: it leads to main.
void MicroengineAsmPrinter::emitFunctionEntryLabel() {
  if (IsFirstFunction && isMicroengineCalled(MF->getFunction())) {
    const Function& Main = *MF->getFunction().getParent()->getFunction("main");
    MCInst Branch;
    Branch.setOpcode(Microengine::BR);
    Branch.addOperand(symbol(getSymbol(&Main), 0, Microengine::kWholeSymbol));
    Branch.addOperand(MCOperand::createImm(0));
    EmitToStreamer(*OutStreamer, Branch);
    const DISubprogram* Source = Main.getSubprogram();
    ++static_cast<MicroengineTargetMachine&>(TM)
          .counts()[(Source ? Source->getName() : Main.getName()).str()]
          .Words;
  }
  IsFirstFunction = false;
  AsmPrinter::emitFunctionEntryLabel();
}

static std::string calleeName(const MachineInstr& Call) {
  const auto& Callee = cast<Function>(*Call.getOperand(0).getGlobal());
  const DISubprogram* Source = Callee.getSubprogram();
  return (Source ? Source->getName() : Callee.getName()).str();
}

void MicroengineAsmPrinter::emitCall(const MachineInstr& Call) {
  MCSymbol* After = OutContext.createTempSymbol("return");
  MCInst Branch, Address;
  Branch.setOpcode(Microengine::BR);
  Branch.addOperand(
      symbol(getSymbol(Call.getOperand(0).getGlobal()), 0, Microengine::kWholeSymbol));
  Branch.addOperand(MCOperand::createImm(1));  // defer[1]
  Address.setOpcode(Microengine::LOAD_ADDR);
  Address.addOperand(MCOperand::createReg(Call.getOperand(1).getImm()));
  Address.addOperand(symbol(After, 0, Microengine::kWholeSymbol));
  MicroengineTargetMachine::Counts& Counts = countsOf(Call);
  noteScope(Call);
  emitPendingAnnotations();
  markWaits(Call);
  for (const MCInst& Word : {Branch, Address}) {
    keepKillOffBranches(Word, Counts);
    EmitToStreamer(*OutStreamer, Word);
  }
  OutStreamer->emitLabel(After);
  Counts.Words += 2;
  ++Counts.FilledSlots;
  ++static_cast<MicroengineTargetMachine&>(TM).callSites()[calleeName(Call)];
}

// The table of a switch, after the slots of its jump.
void MicroengineAsmPrinter::emitBasicBlockEnd(const MachineBasicBlock& Block) {
  for (const MachineInstr& Jump : Block) {
    if (Jump.getOpcode() != Microengine::JUMP || !Jump.getOperand(1).isJTI())
      continue;
    const int Table = Jump.getOperand(1).getIndex();
    OutStreamer->emitLabel(GetJTISymbol(Table));
    MicroengineTargetMachine::Counts& Counts = countsOf(Jump);
    for (const MachineBasicBlock* Target : MF->getJumpTableInfo()->getJumpTables()[Table].MBBs) {
      MCInst Branch;
      Branch.setOpcode(Microengine::BR);
      Branch.addOperand(symbol(Target->getSymbol(), 0, Microengine::kWholeSymbol));
      Branch.addOperand(MCOperand::createImm(0));
      keepKillOffBranches(Branch, Counts);
      EmitToStreamer(*OutStreamer, Branch);
      ++Counts.Words;
    }
  }
  AsmPrinter::emitBasicBlockEnd(Block);
}

void MicroengineAsmPrinter::emitInstruction(const MachineInstr* Instruction) {
  MCInst Word;
  switch (Instruction->getOpcode()) {
    case Microengine::ANNOTATE:
    case Microengine::ANNOTATE_r:
    case Microengine::ANNOTATE_rr:
    case Microengine::ANNOTATE_ri: return annotate(*Instruction);
    case Microengine::CALL: return emitCall(*Instruction);
    case Microengine::EXIT:
      Word.setOpcode(Microengine::CTX_ARB);
      Word.addOperand(MCOperand::createImm(Microengine::kKillEvent));
      Word.addOperand(MCOperand::createImm(0));
      break;
    default:
      Word.setOpcode(Instruction->getOpcode());
      for (const MachineOperand& Operand : Instruction->operands())
        if (std::optional<MCOperand> Lowered = lower(Operand))
          Word.addOperand(*Lowered);
  }
  refuseWrongOperands(*Instruction, Word);
  noteScope(*Instruction);
  emitPendingAnnotations();
  markWaits(*Instruction);
  keepKillOffBranches(Word, countsOf(*Instruction));
  count(*Instruction, countsOf(*Instruction));
  EmitToStreamer(*OutStreamer, Word);
}

}  // namespace

void llvm::registerMicroengineCodeGenerator() {
  LLVMInitializeMicroengineMC();
  static RegisterTargetMachine<MicroengineTargetMachine> Machine(getTheMicroengineTarget());
  TargetRegistry::RegisterAsmPrinter(
      getTheMicroengineTarget(),
      [](TargetMachine& Target, std::unique_ptr<MCStreamer>&& Streamer) -> AsmPrinter* {
        return new MicroengineAsmPrinter(Target, std::move(Streamer));
      });
}
