// Code generation: selection patterns, pseudo instructions and the table of intrinsics. Owned by compiler/.
//
// Selection is neutral to banks: an instruction with two register sources takes any two, and the bank assignment pass
// (compiler/backend/passes/MicroengineBankAssignment.cpp) gives each value its bank afterwards. Condition codes never cross the
// register allocator: what sets and reads them is one pseudo instruction until just before emission.
include "llvm/TableGen/SearchableTable.td"

// Values of the operands above, as selection transforms them.
class ShiftCode<int kind> : SDNodeXForm<imm, "return CurDAG->getTargetConstant("#!shl(kind,
    5)#" | N->getZExtValue(), SDLoc(N), MVT::i32);">;
def ShiftLeftCode : ShiftCode<1>;
def ShiftRightCode : ShiftCode<2>;
def RotateLeftCode : ShiftCode<3>;
def NegateImmediate : SDNodeXForm<imm, "return CurDAG->getTargetConstant(-N->getSExtValue(), SDLoc(N), MVT::i32);">;
def InvertImmediate : SDNodeXForm<imm, "return CurDAG->getTargetConstant(~N->getSExtValue(), SDLoc(N), MVT::i32);">;
def ByteMaskCode : SDNodeXForm<imm,
    "return CurDAG->getTargetConstant(byteMaskOf(N->getZExtValue()), SDLoc(N), MVT::i32);">;
def shift_amount : ImmLeaf<i32, "return Imm > 0 && Imm < 32;">;
def negative_uimm5 : ImmLeaf<i32, "return Imm < 0 && Imm >= -31;">;
def inverted_uimm5 : ImmLeaf<i32, "return Imm < 0 && Imm >= -32;">;
// Every byte all zeros or all ones.
def whole_bytes : ImmLeaf<i32, "return isByteMask(static_cast<uint32_t>(Imm));">;

multiclass BinaryPatterns<SDPatternOperator operation, string instruction> {
  def : Pat<(operation i32:$a, i32:$b), (!cast<Instruction>(instruction#"_rr") $a, $b)>;
  def : Pat<(operation i32:$a, uimm5:$b), (!cast<Instruction>(instruction#"_ri") $a, uimm5:$b)>;
}
defm : BinaryPatterns<add, "ADD">;
defm : BinaryPatterns<sub, "SUB">;
defm : BinaryPatterns<and, "AND">;
defm : BinaryPatterns<or, "OR">;
defm : BinaryPatterns<xor, "XOR">;
def : Pat<(sub uimm5:$a, i32:$b), (SUB_ir uimm5:$a, $b)>;
def : Pat<(add i32:$a, negative_uimm5:$b), (SUB_ri $a, (NegateImmediate $b))>;
def : Pat<(xor i32:$a, -1), (NOT_r $a)>;
def : Pat<(and i32:$a, (xor i32:$b, -1)), (AND_NOT_rr $a, $b)>;
let AddedComplexity = 2 in
def : Pat<(and i32:$a, inverted_uimm5:$b), (AND_NOT_ri $a, (InvertImmediate $b))>;

// Shifts by a constant, alone or folded into the second operand.
def : Pat<(shl i32:$b, shift_amount:$n), (SHIFT_MOVE_r $b, (ShiftLeftCode $n))>;
def : Pat<(srl i32:$b, shift_amount:$n), (SHIFT_MOVE_r $b, (ShiftRightCode $n))>;
def : Pat<(rotl i32:$b, shift_amount:$n), (SHIFT_MOVE_r $b, (RotateLeftCode $n))>;
multiclass ShiftedOperandPatterns<SDPatternOperator operation, string instruction> {
  def : Pat<(operation i32:$a, (shl i32:$b, shift_amount:$n)), (!cast<Instruction>(instruction#"_rr") $a, $b,
      (ShiftLeftCode $n))>;
  def : Pat<(operation i32:$a, (srl i32:$b, shift_amount:$n)), (!cast<Instruction>(instruction#"_rr") $a, $b,
      (ShiftRightCode $n))>;
}
defm : ShiftedOperandPatterns<and, "SHIFT_AND">;
defm : ShiftedOperandPatterns<or, "SHIFT_OR">;
let AddedComplexity = 4 in {
  def : Pat<(and (srl i32:$b, shift_amount:$n), whole_bytes:$mask), (LD_FIELD_W_CLR (ByteMaskCode $mask), $b,
      (ShiftRightCode $n), 0)>;
  def : Pat<(and (shl i32:$b, shift_amount:$n), whole_bytes:$mask), (LD_FIELD_W_CLR (ByteMaskCode $mask), $b,
      (ShiftLeftCode $n), 0)>;
}
let AddedComplexity = 1 in
def : Pat<(and i32:$b, whole_bytes:$mask), (LD_FIELD_W_CLR (ByteMaskCode $mask), $b, 0, 0)>;

// A sum with the low bits of its second operand. Not in the published pipeline, whose instructions are fixed.
def FillsSlots : Predicate<"Options.FillSlots">;
multiclass LowBitsSum<int mask, string instruction> {
  def : Pat<(add i32:$a, (and i32:$b, mask)), (!cast<Instruction>(instruction#"_rr") $a, $b)>;
  def : Pat<(add (and i32:$b, mask), uimm5:$a), (!cast<Instruction>(instruction#"_ir") uimm5:$a, $b)>;
}
let Predicates = [FillsSlots], AddedComplexity = 8 in {
  defm : LowBitsSum<0xf, "ADD_4">;
  defm : LowBitsSum<0xff, "ADD_8">;
  defm : LowBitsSum<0xffff, "ADD_16">;
}

// Shifts by a register: the amount passes through operand a of the instruction in front, of which only bits 4 to 0 count.
def register_amount : ComplexPattern<i32, 1, "selectShiftAmount">;
def SHIFT_LEFT_BY_REGISTER : MicroenginePseudo<(outs DST:$dst), (ins SRC:$b, SRC:$amount), [(set i32:$dst, (shl
    i32:$b, register_amount:$amount))]> { let Defs = [CC]; }
def SHIFT_RIGHT_BY_REGISTER : MicroenginePseudo<(outs DST:$dst), (ins SRC:$b, SRC:$amount), [(set i32:$dst, (srl
    i32:$b, register_amount:$amount))]> { let Defs = [CC]; }

// 64-bit addition: the halves stay together because the carry lives in the condition codes. Subtraction takes the
// complement of the high half of what is subtracted: a - b = a + ~b + carry, and carry means "no borrow".
def SDTPair : SDTypeProfile<2, 4, [SDTCisVT<0, i32>, SDTCisVT<1, i32>, SDTCisVT<2, i32>, SDTCisVT<3, i32>, SDTCisVT<4,
    i32>, SDTCisVT<5, i32>]>;
def add_pair : SDNode<"MicroengineISD::ADD_PAIR", SDTPair>;
def subtract_pair : SDNode<"MicroengineISD::SUBTRACT_PAIR", SDTPair>;
let Constraints = "@earlyclobber $low", Defs = [CC] in {
  def ADD_PAIR : MicroenginePseudo<(outs GPR:$low, GPR:$high), (ins SRC:$a_low, SRC:$b_low, SRC:$a_high, SRC:$b_high),
                                   [(set i32:$low, i32:$high, (add_pair i32:$a_low, i32:$b_low, i32:$a_high,
                                       i32:$b_high))]>;
  def SUBTRACT_PAIR : MicroenginePseudo<(outs GPR:$low, GPR:$high), (ins SRC:$a_low, SRC:$b_low, SRC:$a_high,
      SRC:$not_b_high),
                                        [(set i32:$low, i32:$high, (subtract_pair i32:$a_low, i32:$b_low, i32:$a_high,
                                            i32:$not_b_high))]>;
}

// base, and addend more where tested is negative: the test and the sum with its sign stay together.
let Defs = [CC] in {
  def SIGN_SUM_rr : MicroenginePseudo<(outs GPR:$dst), (ins SRC:$tested, SRC:$addend, SRC:$base)> { let Size = 16; }
  def SIGN_SUM_ri : MicroenginePseudo<(outs GPR:$dst), (ins SRC:$tested, SRC:$addend, uimm5:$base)> { let Size = 16; }
}

// Constants and addresses that take two instructions.
let isReMaterializable = 1, isMoveImm = 1 in {
  def LOAD_CONSTANT : MicroenginePseudo<(outs GPR:$dst), (ins i32imm:$value)> { let Size = 16; }
  def LOAD_ADDRESS : MicroenginePseudo<(outs GPR:$dst), (ins i32imm:$symbol)> { let Size = 16; }
}

// The lowest bit set of each half of a longword, as load_bset_result1 gives it: bit 8 found, bits 7 to 0 its number in the
// half. Four instructions that stay together.
def SDTBitSearch : SDTypeProfile<2, 1, [SDTCisVT<0, i32>, SDTCisVT<1, i32>, SDTCisVT<2, i32>]>;
def search_halves : SDNode<"MicroengineISD::SEARCH_HALVES", SDTBitSearch>;
let Size = 32 in
def SEARCH_HALVES : MicroenginePseudo<(outs GPR:$low, GPR:$high), (ins SRC:$value),
    [(set i32:$low, i32:$high, (search_halves i32:$value))]>;

// Branches. condition is a Microengine::Condition (compiler/backend/MicroengineInstrInfo.h).
def branch_target : Operand<OtherVT>;
let isBranch = 1, isTerminator = 1, Defs = [CC], Size = 16 in {
  def COMPARE_BRANCH_rr : MicroenginePseudo<(outs), (ins SRC:$a, SRC:$b, i32imm:$condition, branch_target:$target)>;
  def COMPARE_BRANCH_ri : MicroenginePseudo<(outs), (ins SRC:$a, uimm5:$b, i32imm:$condition, branch_target:$target)>;
}
def : Pat<(br bb:$target), (BR bb:$target, 0)>;

// Orders of 64 bits, by the difference: the carry and the sign of its upper half. Three words with the branch.
let Defs = [CC], Size = 24 in {
  let isBranch = 1, isTerminator = 1 in
  def PAIR_BRANCH : MicroenginePseudo<(outs), (ins SRC:$a_low, SRC:$b_low, SRC:$a_high, SRC:$not_b_high,
      i32imm:$condition, branch_target:$target)>;
  let usesCustomInserter = 1 in
  def PAIR_SELECT : MicroenginePseudo<(outs GPR:$dst), (ins SRC:$a_low, SRC:$b_low, SRC:$a_high, SRC:$not_b_high,
      SRC:$if_true, SRC:$if_false, i32imm:$condition)>;
}
let usesCustomInserter = 1 in {
  def SELECT_rr : MicroenginePseudo<(outs GPR:$dst), (ins SRC:$a, SRC:$b, SRC:$if_true, SRC:$if_false,
      i32imm:$condition)> { let Defs = [CC]; }
  def SELECT_ri : MicroenginePseudo<(outs GPR:$dst), (ins SRC:$a, uimm5:$b, SRC:$if_true, SRC:$if_false,
      i32imm:$condition)> { let Defs = [CC]; }
  // 1 when the branch `opcode` on `selector` would be taken: input states and signals as values.
  def STATE_VALUE : MicroenginePseudo<(outs GPR:$dst), (ins i32imm:$opcode, i32imm:$selector)> { let hasSideEffects =
      1; }
}

// A call of a function of the program: br[callee], defer[1] and load_addr[return_address, what follows]. return_address
// is the number of a register.
let isCall = 1, hasSideEffects = 1, mayLoad = 1, mayStore = 1, Defs = [CC], Size = 16 in
def CALL : MicroenginePseudo<(outs), (ins i32imm:$callee, i32imm:$return_address)>;

// The end of main: ctx_arb[kill].
def SDTExit : SDTypeProfile<0, 0, []>;
def exit_thread : SDNode<"MicroengineISD::EXIT", SDTExit, [SDNPHasChain, SDNPOptInGlue, SDNPVariadic]>;
let isReturn = 1, isTerminator = 1, isBarrier = 1, hasSideEffects = 1, Size = 8 in
def EXIT : MicroenginePseudo<(outs), (ins), [(exit_thread)]>;
let hasSideEffects = 1, Size = 8 in
def TRAP : MicroenginePseudo<(outs), (ins), [(trap)]>;

// Locals in memory: a place in the thread's frame, and spills there. offset is in bytes from the frame's base.
let Defs = [CC] in {
  def FRAME_ADDRESS : MicroenginePseudo<(outs GPR:$dst), (ins i32imm:$frame, i32imm:$offset)>;
  let mayLoad = 1 in def FRAME_READ : MicroenginePseudo<(outs SRAMRead:$dst), (ins i32imm:$frame, i32imm:$offset)>;
  let mayStore = 1 in def FRAME_WRITE : MicroenginePseudo<(outs), (ins SRAMWrite:$value, i32imm:$frame,
      i32imm:$offset)>;
  let mayStore = 1 in def SPILL : MicroenginePseudo<(outs), (ins unknown:$value, i32imm:$frame, i32imm:$offset)>;
  let mayLoad = 1 in def RELOAD : MicroenginePseudo<(outs unknown:$dst), (ins i32imm:$frame, i32imm:$offset)>;
}

// Zero-word marks on the instruction behind (isa/program_image.h, Annotation).
let hasSideEffects = 1, Size = 0 in {
  def ANNOTATE : MicroenginePseudo<(outs), (ins i32imm:$kind)>;
  def ANNOTATE_r : MicroenginePseudo<(outs), (ins i32imm:$kind, SRC:$first)>;
  def ANNOTATE_rr : MicroenginePseudo<(outs), (ins i32imm:$kind, SRC:$first, SRC:$second)>;
  def ANNOTATE_ri : MicroenginePseudo<(outs), (ins i32imm:$kind, SRC:$first, uimm8:$second)>;
}

// Registers that all contexts of an engine share, by absolute number.
let hasSideEffects = 1, Defs = [CC], Size = 8 in {
  def READ_SHARED : MicroenginePseudo<(outs GPR:$dst), (ins i32imm:$number)>;
  def WRITE_SHARED : MicroenginePseudo<(outs), (ins i32imm:$number, SRC:$value)>;
}

// References whose result comes back in the read registers of the numbers that were sent: the moves into the write
// registers and the reference, `opcode`.
let hasSideEffects = 1 in {
  let Size = 16 in
  def EXCHANGE_1 : MicroenginePseudo<(outs SRAMExchange_x1:$received), (ins SRC:$sent, SRC:$a, uimm7:$b,
      i32imm:$opcode)> { let Defs = [CC]; }
  let Size = 24 in
  def EXCHANGE_2 : MicroenginePseudo<(outs SRAMExchange_x2:$received), (ins SRC:$first, SRC:$second, i32imm:$opcode)> {
    let Defs = [CC];
  }
  // Two longwords are sent to an address, and one comes back.
  let Size = 24 in
  def EXCHANGE_2_AT : MicroenginePseudo<(outs SRAMExchange_x2:$received), (ins SRC:$first, SRC:$second, SRC:$a,
      uimm7:$b, i32imm:$opcode)> { let Defs = [CC]; }
}

// Intrinsics: __me_NAME in C selects the instruction. Its operands are the C arguments in order; a burst takes as many
// as it has longwords; immediates must be constants. Address says where a and b of a reference come from.
class AddressArguments<int value> { int Value = value; }
def NoAddress : AddressArguments<0>;
def SumOfOne : AddressArguments<1>;     // one argument is a + b
def OneEach : AddressArguments<2>;      // two arguments, a and b

// tokens: of the reference; -1: the last argument, a constant, gives them.
class EngineIntrinsic<string name, Instruction immediate_form, Instruction register_form, AddressArguments address,
    int tokens> {
  string Name = name;
  Instruction ImmediateForm = immediate_form;
  Instruction RegisterForm = register_form;
  bits<2> Address = address.Value;
  bit TokensGiven = !eq(tokens, -1);
  bits<14> Tokens = !if(!eq(tokens, -1), 0, tokens);
}
class PlainIntrinsic<string name, Instruction instruction, int tokens = 0> : EngineIntrinsic<name, instruction,
    instruction, NoAddress, tokens>;
class AddressIntrinsic<string name, string instruction, int tokens = 1>
    : EngineIntrinsic<name, !cast<Instruction>(instruction#"_ri"), !cast<Instruction>(instruction#"_rr"), SumOfOne,
        tokens>;
class TransferIntrinsic<string name, string instruction>
    : EngineIntrinsic<name, !cast<Instruction>(instruction#"_ri"), !cast<Instruction>(instruction#"_rr"), OneEach, -1>;

foreach n = [1, 2, 4, 8] in {
  def : AddressIntrinsic<"sram_read_lock_"#n, "SRAM_READ_LOCK_"#n>;
  def : AddressIntrinsic<"sram_write_unlock_"#n, "SRAM_WRITE_UNLOCK_"#n>;
  def : AddressIntrinsic<"r_fifo_read_"#n, "R_FIFO_RD_"#n>;
  def : AddressIntrinsic<"t_fifo_write_"#n, "T_FIFO_WR_"#n>;
}
foreach n = [1, 2, 4] in
def : AddressIntrinsic<"sdram_read_"#n, "SDRAM_READ_"#n>;
foreach n = 1-8 in {
  def : AddressIntrinsic<"sram_read_"#n, "SRAM_READ_"#n>;
  def : AddressIntrinsic<"scratch_read_"#n, "SCRATCH_READ_"#n>;
  def : AddressIntrinsic<"sram_write_"#n, "SRAM_WRITE_"#n>;
  def : AddressIntrinsic<"scratch_write_"#n, "SCRATCH_WRITE_"#n>;
}
foreach n = 1-4 in
def : AddressIntrinsic<"sdram_write_"#n, "SDRAM_WRITE_"#n>;
foreach n = 1-8 in {
  def : TransferIntrinsic<"sdram_r_fifo_read_"#n, "SDRAM_R_FIFO_RD_"#n>;
  def : TransferIntrinsic<"sdram_t_fifo_write_"#n, "SDRAM_T_FIFO_WR_"#n>;
}
def : AddressIntrinsic<"sram_unlock", "SRAM_UNLOCK", 0>;
def : AddressIntrinsic<"scratch_incr", "SCRATCH_INCR">;
foreach op = ["set_bits", "clear_bits", "test_and_set_bits", "test_and_clear_bits"] in {
  def : AddressIntrinsic<"sram_"#op, "SRAM_BIT_WR_"#op>;
  def : AddressIntrinsic<"scratch_"#op, "SCRATCH_BIT_WR_"#op>;
}
def : AddressIntrinsic<"sram_compare_and_swap", "SRAM_COMPARE_AND_SWAP">;
def : PlainIntrinsic<"sram_pop", SRAM_POP, 1>;
def : AddressIntrinsic<"sram_push", "SRAM_PUSH">;
def : PlainIntrinsic<"csr_read", CSR_READ, 1>;
def : PlainIntrinsic<"csr_write", CSR_WRITE, 1>;
def : PlainIntrinsic<"fast_write", FAST_WR_r>;
def : PlainIntrinsic<"fast_write_immediate", FAST_WR_i>;
def : PlainIntrinsic<"hash_48", HASH1_48, 1>;
def : PlainIntrinsic<"hash_64", HASH1_64, 1>;
def : PlainIntrinsic<"local_csr_read", LOCAL_CSR_RD>;
def : PlainIntrinsic<"ctx_arb", CTX_ARB>;
def : PlainIntrinsic<"find_bset", FIND_BSET>;
def : PlainIntrinsic<"load_bset_result1", LOAD_BSET_RESULT1>;
def : PlainIntrinsic<"load_bset_result2", LOAD_BSET_RESULT2>;
def : PlainIntrinsic<"nop", NOP>;

def IntrinsicTable : GenericTable {
  let FilterClass = "EngineIntrinsic";
  let CppTypeName = "IntrinsicDescription";
  let Fields = ["Name", "ImmediateForm", "RegisterForm", "Address", "TokensGiven", "Tokens"];
}
def findIntrinsic : SearchIndex {
  let Table = IntrinsicTable;
  let Key = ["Name"];
}

// A longword of a burst that was read.
foreach type = [v2i32, v3i32, v4i32, v5i32, v6i32, v7i32, v8i32] in
foreach i = !range(type.nElem) in
def : Pat<(i32 (extractelt type:$burst, (i32 i))), (EXTRACT_SUBREG $burst, !cast<SubRegIndex>("word"#i))>;
