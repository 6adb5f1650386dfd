// Instruction formats. Every named field has one place in the 64-bit word, the same in every format that has it:
//
//   63..58 operation     57..47 dst or transfer register     46..36 a     35..25 b
//   24..20 function (ALU operation, condition, command)
//   ALU, register group:  19..12 shift   11 load_cc   10..7 byte_mask
//   immediates:           19..17 position            15..0 imm16
//   branches:             18 guess_branch   17..16 defer   15..0 target     (instead of b: 35..28 byte_value,
//                         27..26 byte_number;  instead of dst: 57..53 selector: bit, context, state or signal number)
//   references:           17..16 defer   15..12 count - 1   11..0 tokens    (instead of b: 34..25 csr)

// When an instruction aborts the ones behind it; the chip file gives the cost in cycles of each class.
class AbortClass<string name> { string Name = name; }
def NeverAborts         : AbortClass<"none">;
def UnconditionalBranch : AbortClass<"unconditional">;   // decided in P1
def ConditionBranch     : AbortClass<"condition">;       // decided in P2, on condition codes
def StateBranch         : AbortClass<"state">;           // decided in P2, on context, input state or signal
def TestBranch          : AbortClass<"test">;            // decided in P3, on a register
def ContextSwap         : AbortClass<"swap">;            // the slot behind a context swap

// The unit that completes a reference.
class Unit<string name> { string Name = name; }
def NoUnit      : Unit<"none">;
def SRAMUnit    : Unit<"sram">;
def SDRAMUnit   : Unit<"sdram">;
def ScratchUnit : Unit<"scratch">;   // in the FBI: completes with the fbi event
def FBIUnit     : Unit<"fbi">;
def HashUnit    : Unit<"hash">;      // in the FBI
def PCIUnit     : Unit<"pci">;

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

  string Semantics = "";             // keyword of the simulator's routine; the same for all operand forms of one instruction
  AbortClass Aborts = NeverAborts;
  Unit CompletesIn = NoUnit;
  string Group = "";                 // section of the reference page
  string Summary = "";               // one line of the reference page
  string Intrinsic = "";             // name of the C function that selects exactly this form (see code_generation.td)

  bit IsReference = 0;
  let TSFlags{0} = IsReference;
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
