// Instruction formats. Every named field has one place in the 64-bit word, the same in every format that has it:
//
//   63..58 operation     57..47 dst or transfer register     46..36 a     35..25 b
//   24..20 function (ALU operation, condition, command)
//   ALU, register group:  19..12 shift   11 load_cc   10..7 byte_mask
//   immediates:           19..17 position            15..0 imm16
//   branches:             18 guess_branch   17..16 defer   15..0 target     (instead of b: 35..28 byte_value,
//                         27..26 byte_number;  instead of dst: 57..53 selector: bit, context, state or signal number)
//   references:           17..16 defer   15..12 count - 1   11..0 tokens    (instead of b: 34..25 csr)

class Field<string name, int high, int low, int bias = 0> {
  string Name = name;   // member of isa::Instruction
  int High = high;
  int Low = low;
  int Bias = bias;      // what is added to the bits
}
def FieldDst         : Field<"dst", 57, 47>;
def FieldSelector    : Field<"selector", 57, 53>;
def FieldA           : Field<"a", 46, 36>;
def FieldB           : Field<"b", 35, 25>;
def FieldByteValue   : Field<"byte_value", 35, 28>;
def FieldByteNumber  : Field<"byte_number", 27, 26>;
def FieldCSR         : Field<"csr", 34, 25>;
def FieldFunction    : Field<"function", 24, 20>;
def FieldShiftKind   : Field<"shift_kind", 19, 17>;
def FieldShiftAmount : Field<"shift_amount", 16, 12>;
def FieldLoadCC      : Field<"load_cc", 11, 11>;
def FieldByteMask    : Field<"byte_mask", 10, 7>;
def FieldPosition    : Field<"position", 19, 17>;
def FieldImmediate16 : Field<"immediate", 15, 0>;
def FieldGuessBranch : Field<"guess_branch", 18, 18>;
def FieldDefer       : Field<"defer", 17, 16>;
def FieldTarget      : Field<"target", 15, 0>;
def FieldCount       : Field<"count", 15, 12, 1>;
def FieldTokens      : Field<"tokens", 11, 0>;
def FieldEvents      : Field<"events", 10, 0>;

// The fields that an instruction has. All other bits of the word are zero.
class Format<list<Field> fields> { list<Field> Fields = fields; }
def EmptyFormat          : Format<[]>;
def ALUFormat            : Format<[FieldDst, FieldA, FieldB, FieldFunction]>;
def ALUShiftFormat       : Format<[FieldDst, FieldA, FieldB, FieldFunction, FieldShiftKind, FieldShiftAmount]>;
def ImmediateFormat      : Format<[FieldDst, FieldFunction, FieldPosition, FieldImmediate16]>;
def LoadFieldFormat      : Format<[FieldDst, FieldA, FieldB, FieldFunction, FieldShiftKind, FieldShiftAmount,
                                   FieldLoadCC, FieldByteMask]>;
def LoadAddressFormat    : Format<[FieldDst, FieldTarget]>;
def BranchFormat         : Format<[FieldFunction, FieldGuessBranch, FieldDefer, FieldTarget]>;
def RegisterBranchFormat : Format<[FieldA, FieldFunction, FieldDefer, FieldTarget]>;
def BitBranchFormat      : Format<[FieldSelector, FieldA, FieldFunction, FieldGuessBranch, FieldDefer, FieldTarget]>;
def ByteBranchFormat     : Format<[FieldA, FieldByteValue, FieldByteNumber, FieldFunction, FieldGuessBranch,
                                   FieldDefer, FieldTarget]>;
def SelectorBranchFormat : Format<[FieldSelector, FieldFunction, FieldGuessBranch, FieldDefer, FieldTarget]>;
def ReferenceFormat      : Format<[FieldDst, FieldA, FieldB, FieldFunction, FieldDefer, FieldCount, FieldTokens]>;
def CSRFormat            : Format<[FieldDst, FieldA, FieldCSR, FieldFunction, FieldDefer, FieldCount, FieldTokens]>;
def ArbitrationFormat    : Format<[FieldDefer, FieldEvents]>;
def LocalCSRFormat       : Format<[FieldDst, FieldCSR]>;

// When an instruction aborts the ones that follow it; the chip file gives the cost in cycles of each class.
// MaximumDefer: how many of the following instructions `defer` can make execute.
class AbortClass<string name, int number, int maximum_defer> {
  string Name = name;
  int Number = number;
  int MaximumDefer = maximum_defer;
}
def NeverAborts         : AbortClass<"none", 0, 0>;
def UnconditionalBranch : AbortClass<"unconditional", 1, 1>;   // decided in P1
def ConditionBranch     : AbortClass<"condition", 2, 2>;       // decided in P2, on condition codes
def StateBranch         : AbortClass<"state", 3, 2>;           // decided in P2, on context, input state or signal
def TestBranch          : AbortClass<"test", 4, 3>;            // decided in P3, on a register
def ContextSwap         : AbortClass<"swap", 5, 1>;            // the slot after ctx_arb or a reference with ctx_swap

// The unit that completes a reference, and the event by which it says so. Scratch and the hash unit are in the FBI.
class Unit<string name, int number, Event event> {
  string Name = name;
  int Number = number;
  Event CompletionEvent = event;
}
def NoUnit      : Unit<"none", 0, EventFBI>;   // nothing completes: no thread ever waits for this event
def SRAMUnit    : Unit<"sram", 1, EventSRAM>;
def SDRAMUnit   : Unit<"sdram", 2, EventSDRAM>;
def ScratchUnit : Unit<"scratch", 3, EventFBI>;
def FBIUnit     : Unit<"fbi", 4, EventFBI>;
def HashUnit    : Unit<"hash", 5, EventFBI>;
def PCIUnit     : Unit<"pci", 6, EventPCI>;

class MicroengineInstruction<bits<6> operation, dag outs, dag ins, string asm> : Instruction {
  let Namespace = "Microengine";
  let Size = 8;
  field bits<64> Inst = 0;
  field bits<64> SoftFail = 0;
  let Inst{63-58} = operation;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let DecoderNamespace = "Microengine";
  let hasSideEffects = 0;

  Format Fields = EmptyFormat;
  // keyword of the simulator's routine; the same for all operand forms of one instruction
  string Semantics = "";
  AbortClass Aborts = NeverAborts;
  Unit CompletesIn = NoUnit;
  string Group = "";                 // section of the reference page
  string Summary = "";               // one line of the reference page

  bit IsReference = 0;
  bit ClearsOverflow = 0;            // writes the condition codes, and the overflow flag is clear afterwards
  // The facts that the code generator asks for (compiler/backend/MicroengineInstructionFacts.h reads them).
  let TSFlags{0} = IsReference;
  let TSFlags{3-1} = Aborts.Number;
  let TSFlags{6-4} = CompletesIn.Number;
  let TSFlags{7} = ClearsOverflow;
}

class MicroenginePseudo<dag outs, dag ins, list<dag> pattern = []> : Instruction {
  let Namespace = "Microengine";
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = "";
  let Pattern = pattern;
  let isPseudo = 1;
  let isCodeGenOnly = 1;
  let hasSideEffects = 0;
}

// Operand codes that stand for themselves (registers.td).
defvar NoRegister = 0b10100000000;
