// Calls of intrinsics.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineIntrinsics.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/options/atomic_marks.h"
#include "isa/mc/target_streamer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace {

class IntrinsicCall {
 public:
  IntrinsicCall(TargetLowering::CallLoweringInfo& Call, StringRef Name)
      : Call(Call),
        DAG(Call.DAG),
        Location(Call.DL),
        Name(Name),
        Arguments(Call.OutVals.begin(), Call.OutVals.end()) {}

  // The node; its last result is the chain. Reports what cannot be selected and gives an undefined
  // value instead.
  SDValue lower() {
    if (Name.starts_with("annotate"))
      return annotation();
    if (Name == "input_state")
      return stateValue(Microengine::BR_INP_STATE);
    if (Name == "no_signal")
      return stateValue(Microengine::BR_NOT_SIGNAL);
    if (Name == "shared_read" || Name == "shared_write")
      return sharedVariable();
    if (Name.starts_with(Microengine::ArriveName))
      return arrival();
    if (Name == "ctx_arb")
      settleEvents();
    if (Name == "ctx_arb" && waitsForNothing())
      return DAG.getMergeValues({Call.Chain}, Location);
    bool Starts = Name.consume_back(Microengine::StartSuffix) && !isBlocking();
    const Microengine::IntrinsicDescription* Description = Microengine::findIntrinsic(Name);
    if (!Description)
      Description = countedIntrinsic();
    if (!Description)
      return failed("the count of " + Name + " must be a constant that the unit allows");
    SDValue Number =
        target(Microengine::numberOf(*Description) | (Starts ? MicroengineISD::StartsFlag : 0));
    return node(MicroengineISD::INTRINSIC, Number, Arguments);
  }

 private:
  SDValue node(unsigned Opcode, SDValue First, ArrayRef<SDValue> Rest) {
    SmallVector<SDValue, 8> Operands{Call.Chain, First};
    append_range(Operands, Rest);
    SmallVector<EVT, 2> Types;
    for (const ISD::InputArg& Result : Call.Ins)
      Types.push_back(Result.VT);
    Types.push_back(MVT::Other);
    return DAG.getNode(Opcode, Location, DAG.getVTList(Types), Operands);
  }

  SDValue failed(const Twine& Message) {
    DAG.getContext()->diagnose(DiagnosticInfoUnsupported(DAG.getMachineFunction().getFunction(),
                                                         Message, Location.getDebugLoc()));
    SmallVector<SDValue, 2> Results;
    for (const ISD::InputArg& Result : Call.Ins)
      Results.push_back(DAG.getUNDEF(Result.VT));
    Results.push_back(Call.Chain);
    return DAG.getMergeValues(Results, Location);
  }

  std::optional<uint64_t> constantArgument(unsigned Index) const {
    if (Index >= Arguments.size())
      return std::nullopt;
    auto* Constant = dyn_cast<ConstantSDNode>(Arguments[Index]);
    return Constant ? std::optional(Constant->getZExtValue()) : std::nullopt;
  }
  SDValue target(uint64_t Value) const { return DAG.getTargetConstant(Value, Location, MVT::i32); }

  bool isBlocking() const {
    return engineOptionsOf(DAG.getMachineFunction()).StartedReferences ==
           MicroengineStartedReferences::kBlock;
  }
  SDValue arrival() {
    if (isBlocking())
      return DAG.getMergeValues({Arguments[0], Call.Chain}, Location);
    SmallVector<EVT, 2> Types{Arguments[0].getValueType(), MVT::Other};
    return DAG.getNode(MicroengineISD::ARRIVE, Location, DAG.getVTList(Types),
                       {Call.Chain, Arguments[0]});
  }
  // Takes out of a wait's events what tie_signals noted there, and with references that block what
  // these would signal.
  void settleEvents() {
    constexpr unsigned Shift = Microengine::StartedEventsShift;
    std::optional<uint64_t> Given = constantArgument(0);
    if (!Given)
      return;
    uint64_t Events = *Given & ((uint64_t{1} << Shift) - 1);
    if (isBlocking())
      Events &= ~(*Given >> Shift);
    Arguments[0] = DAG.getConstant(Events, Location, MVT::i32);
  }
  bool waitsForNothing() const { return constantArgument(0) == 0u; }

  // NAME(..., count) selects NAME_count.
  const Microengine::IntrinsicDescription* countedIntrinsic() {
    std::optional<uint64_t> Count = constantArgument(2);
    if (!Count)
      return nullptr;
    Arguments.erase(Arguments.begin() + 2);
    return Microengine::findIntrinsic((Name + "_" + Twine(*Count)).str());
  }

  static bool isAnnotation(uint64_t Kind, size_t Operands) {
    using namespace nplab::compiler;
    const bool IsMark = Kind >= kAtomicBegin && Kind <= kAtomicLast && Operands == 0;
    return IsMark || any_of(kAnnotationDirectives, [&](const AnnotationDirective& Known) {
             return static_cast<uint64_t>(Known.kind) == Kind && Known.operands == Operands;
           });
  }

  SDValue annotation() {
    std::optional<uint64_t> Kind = constantArgument(0);
    if (!Kind)
      return failed("the kind of an annotation must be a constant");
    if (!isAnnotation(*Kind, Arguments.size() - 1))
      return failed("there is no annotation " + Twine(*Kind) + " of " +
                    Twine(Arguments.size() - 1) + " operands");
    return node(MicroengineISD::ANNOTATE, target(*Kind), ArrayRef(Arguments).drop_front());
  }
  SDValue stateValue(unsigned Opcode) {
    std::optional<uint64_t> Selector = constantArgument(0);
    if (!Selector)
      return failed("the number of a state must be a constant");
    return node(MicroengineISD::STATE_VALUE, target(Opcode), target(*Selector));
  }
  SDValue sharedVariable() {
    std::optional<uint64_t> Number = constantArgument(0);
    if (!Number || *Number >= MicroengineSharedLimit)
      return failed("the number of a shared variable must be a constant below " +
                    Twine(MicroengineSharedLimit));
    bool IsRead = Name == "shared_read";
    return node(IsRead ? MicroengineISD::READ_SHARED : MicroengineISD::WRITE_SHARED,
                target(*Number), ArrayRef(Arguments).drop_front());
  }

  TargetLowering::CallLoweringInfo& Call;
  SelectionDAG& DAG;
  SDLoc Location;
  StringRef Name;
  SmallVector<SDValue, 8> Arguments;
};

}  // namespace

SDValue MicroengineTargetLowering::LowerCall(CallLoweringInfo& Call,
                                             SmallVectorImpl<SDValue>& Values) const {
  Call.IsTailCall = false;
  auto* Callee = dyn_cast<GlobalAddressSDNode>(Call.Callee);
  StringRef Name = Callee ? Callee->getGlobal()->getName() : StringRef();
  const auto* Defined = Callee ? dyn_cast<Function>(Callee->getGlobal()) : nullptr;
  if (Defined && isMicroengineCalled(*Defined))
    return lowerMicroengineFunctionCall(Call, *Defined, Values);
  if (!Microengine::isIntrinsicName(Name)) {
    const char* Symbol = isa<ExternalSymbolSDNode>(Call.Callee)
                             ? cast<ExternalSymbolSDNode>(Call.Callee)->getSymbol()
                             : "";
    Call.DAG.getContext()->diagnose(DiagnosticInfoUnsupported(
        Call.DAG.getMachineFunction().getFunction(),
        "this needs the routine '" + (Name.empty() ? StringRef(Symbol) : Name) +
            "', which the microengine does not have",
        Call.DL.getDebugLoc()));
    for (const ISD::InputArg& Result : Call.Ins)
      Values.push_back(Call.DAG.getUNDEF(Result.VT));
    return Call.Chain;
  }
  Name.consume_front(Microengine::IntrinsicPrefix);
  SDValue Node = IntrinsicCall(Call, Name).lower();
  for (unsigned Result = 0; Result != Call.Ins.size(); ++Result)
    Values.push_back(Node.getValue(Result));
  return Node.getValue(Call.Ins.size());
}
