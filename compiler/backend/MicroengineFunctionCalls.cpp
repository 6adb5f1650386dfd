// Calls of functions, their arguments, results and returns, as nodes of the selection DAG.
//
// Arguments and results are longwords in registers of both banks in turn. A call is two words: the
// branch, and in its slot the address of what follows (MicroengineAsmPrinter.cpp).
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/SelectionDAG.h"

using namespace llvm;

// main has no arguments (transforms/CheckProgram.cpp).
SDValue MicroengineTargetLowering::LowerFormalArguments(
    SDValue Chain, CallingConv::ID, bool, const SmallVectorImpl<ISD::InputArg>& Arguments,
    const SDLoc& Location, SelectionDAG& DAG, SmallVectorImpl<SDValue>& Values) const {
  MachineFunction& Function = DAG.getMachineFunction();
  if (!isMicroengineCalled(Function.getFunction())) {
    for (const ISD::InputArg& Argument : Arguments)
      Values.push_back(DAG.getUNDEF(Argument.VT));
    return Chain;
  }
  Function.addLiveIn(microengineReturnRegister(Function.getFunction()), &Microengine::GPRRegClass);
  for (auto [Longword, Argument] : enumerate(Arguments)) {
    Register Value =
        Function.addLiveIn(microengineArgumentRegister(Longword), &Microengine::GPRRegClass);
    Values.push_back(DAG.getCopyFromReg(Chain, Location, Value, Argument.VT));
  }
  return Chain;
}

// main's result stays in a0 (its second half in b0) when the thread ends.
SDValue MicroengineTargetLowering::LowerReturn(SDValue Chain, CallingConv::ID, bool,
                                               const SmallVectorImpl<ISD::OutputArg>&,
                                               const SmallVectorImpl<SDValue>& Values,
                                               const SDLoc& Location, SelectionDAG& DAG) const {
  MachineFunction& Function = DAG.getMachineFunction();
  const bool IsCalled = isMicroengineCalled(Function.getFunction());
  SmallVector<SDValue, 8> Operands{Chain};
  if (IsCalled) {
    Register Address = Function.addLiveIn(microengineReturnRegister(Function.getFunction()),
                                          &Microengine::GPRRegClass);
    Operands.push_back(DAG.getCopyFromReg(Chain, Location, Address, MVT::i32));
    Operands[0] = Operands[1].getValue(1);
  }
  SDValue Glue;
  for (auto [Longword, Value] : enumerate(Values)) {
    if (!IsCalled && Longword == 2)
      break;
    MCRegister Result = microengineResultRegister(Longword);
    Operands[0] = DAG.getCopyToReg(Operands[0], Location, Result, Value, Glue);
    Glue = Operands[0].getValue(1);
    Operands.push_back(DAG.getRegister(Result, MVT::i32));
  }
  if (Glue)
    Operands.push_back(Glue);
  return DAG.getNode(IsCalled ? MicroengineISD::RETURN : MicroengineISD::EXIT, Location, MVT::Other,
                     Operands);
}

static const uint32_t* copyOf(ArrayRef<uint32_t> Mask, MachineFunction& Function) {
  uint32_t* Copy = Function.allocateRegMask();
  copy(Mask, Copy);
  return Copy;
}

SDValue llvm::lowerMicroengineFunctionCall(TargetLowering::CallLoweringInfo& Call,
                                           const Function& Callee,
                                           SmallVectorImpl<SDValue>& Values) {
  SelectionDAG& DAG = Call.DAG;
  MachineFunction& Caller = DAG.getMachineFunction();
  const auto& Target = static_cast<const MicroengineTargetMachine&>(Caller.getTarget());
  SDValue Chain = Call.Chain, Glue;
  SmallVector<SDValue, 12> Operands{
      SDValue(), DAG.getTargetGlobalAddress(&Callee, Call.DL, MVT::i32),
      DAG.getTargetConstant(microengineReturnRegister(Callee).id(), Call.DL, MVT::i32)};
  for (auto [Longword, Value] : enumerate(Call.OutVals)) {
    MCRegister Argument = microengineArgumentRegister(Longword);
    Chain = DAG.getCopyToReg(Chain, Call.DL, Argument, Value, Glue);
    Glue = Chain.getValue(1);
    Operands.push_back(DAG.getRegister(Argument, MVT::i32));
  }
  Operands.push_back(
      DAG.getRegisterMask(copyOf(Target.calledFunctions().of(Callee).Preserved, Caller)));
  Operands[0] = Chain;
  if (Glue)
    Operands.push_back(Glue);
  Chain =
      DAG.getNode(MicroengineISD::CALL, Call.DL, DAG.getVTList(MVT::Other, MVT::Glue), Operands);
  Glue = Chain.getValue(1);
  for (auto [Longword, Result] : enumerate(Call.Ins)) {
    SDValue Copy =
        DAG.getCopyFromReg(Chain, Call.DL, microengineResultRegister(Longword), Result.VT, Glue);
    Chain = Copy.getValue(1);
    Glue = Copy.getValue(2);
    Values.push_back(Copy);
  }
  return Chain;
}
