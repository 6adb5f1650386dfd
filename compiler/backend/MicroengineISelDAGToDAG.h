// The class of instruction selection: MicroengineISelDAGToDAG.cpp chooses instructions, and
// MicroengineISelBranches.cpp branches and selects.
#pragma once

#include "compiler/backend/MicroengineIntrinsics.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/SelectionDAGISel.h"

namespace llvm {

class MicroengineDAGToDAGISel : public SelectionDAGISel {
 public:
  explicit MicroengineDAGToDAGISel(MicroengineTargetMachine& Target)
      : SelectionDAGISel(Target, Target.getOptLevel()), Options(Target.engineOptions()) {}

  void Select(SDNode* Node) override;

#define GET_DAGISEL_DECL
#include "isa/MicroengineGenDAGISel.inc"
#undef GET_DAGISEL_DECL

 private:
  // The address of a reference: operands a and b.
  struct Address {
    SDValue A;
    SDValue B;
    bool TwoRegisters = false;
  };

  SDValue immediate(uint64_t Value, const SDLoc& Location) {
    return CurDAG->getTargetConstant(Value, Location, MVT::i32);
  }
  SDValue constant(uint32_t Value, const SDLoc& Location);
  Address address(SDValue Sum, const SDLoc& Location);
  bool selectShiftAmount(SDValue Given, SDValue& Amount);
  void selectMemory(MemSDNode* Node);
  void selectFrameAccess(MemSDNode* Node, int FrameIndex, int64_t Offset);
  void selectIntrinsic(SDNode* Node);
  void selectExchange(SDNode* Node, const Microengine::IntrinsicDescription& Intrinsic,
                      ArrayRef<SDValue> Arguments);
  void intrinsicOperands(const Microengine::IntrinsicDescription& Intrinsic,
                         ArrayRef<SDValue> Arguments, const SDLoc& Location, unsigned& Opcode,
                         SmallVectorImpl<SDValue>& Operands);
  void refuse(const SDLoc& Location, const Twine& Message);
  SDValue burst(const TargetRegisterClass& Class, ArrayRef<SDValue> Values, const SDLoc& Location);
  void selectAnnotation(SDNode* Node);
  void selectTransferOfControl(SDNode* Node);
  void selectBranch(SDNode* Node);
  SDNode* stateBranch(SDNode* Node);
  SDNode* bitBranch(SDNode* Node);
  SDNode* byteBranch(SDNode* Node);
  void selectSelect(SDNode* Node);

  const MicroengineOptions& Options;
};

}  // namespace llvm
