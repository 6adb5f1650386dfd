// Instructions that load registers: immediates, byte fields, label addresses, bit search.

//   immed[dst, imm16, position]   63..58 = 4   dst   function 0   19..17 position   15..0 imm16
//   immed_b0 .. b3, w0, w1        63..58 = 4   dst   function 1 .. 6: the byte or half word replaced, the rest kept
class ImmediateWord<bits<5> function, string mnemonic, string summary, dag outs, dag ins, string asm>
    : MicroengineInstruction<4, outs, ins, mnemonic#asm> {
  bits<11> dst;
  bits<16> imm16;
  let Inst{57-47} = dst;
  let Inst{24-20} = function;
  let Inst{15-0} = imm16;
  let Fields = ImmediateFormat;
  let Semantics = mnemonic;
  let Summary = summary;
  let Group = "Register";
}
let isReMaterializable = 1, isAsCheapAsAMove = 1, isMoveImm = 1 in
def IMMED : ImmediateWord<0, "immed", "dst = 16 bits at a position of 0, 8 or 16; the other bits are zeros, or ones",
                          (outs DST:$dst), (ins half_word:$imm16, immed_position:$position),
                          "[$dst, $imm16$position]"> {
  bits<3> position;
  let Inst{19-17} = position;
}
// The destination keeps its other bytes, so it is read too and must be a general-purpose register.
class PartialImmediate<bits<5> function, string mnemonic, DAGOperand value, string part>
    : ImmediateWord<function, mnemonic, "replaces "#part#" of dst, keeps the rest", (outs GPR:$dst),
                    (ins GPR:$kept, value:$imm16), "[$dst, $imm16]"> {
  let Constraints = "$kept = $dst";
  let Inst{15-8} = !if(!eq(!cast<string>(value), "uimm8"), 0, imm16{15-8});
}
def IMMED_B0 : PartialImmediate<1, "immed_b0", uimm8, "bits 7 to 0">;
def IMMED_B1 : PartialImmediate<2, "immed_b1", uimm8, "bits 15 to 8">;
def IMMED_B2 : PartialImmediate<3, "immed_b2", uimm8, "bits 23 to 16">;
def IMMED_B3 : PartialImmediate<4, "immed_b3", uimm8, "bits 31 to 24">;
def IMMED_W0 : PartialImmediate<5, "immed_w0", half_word, "bits 15 to 0">;
def IMMED_W1 : PartialImmediate<6, "immed_w1", half_word, "bits 31 to 16">;

//   ld_field[dst, byte_mask, b, shift]         63..58 = 5   dst   b   function 0   shift   load_cc   byte_mask
//   ld_field_w_clr[dst, byte_mask, b, shift]   function 1: bytes outside the mask become zero
class LoadField<bits<5> function, string mnemonic, string summary, dag outs, dag ins>
    : MicroengineInstruction<5, outs, ins, mnemonic#"[$dst, $byte_mask, $b, $shift]$load_cc"> {
  bits<11> dst;
  bits<11> b;
  bits<8> shift;
  bits<1> load_cc;
  bits<4> byte_mask;
  let Inst{57-47} = dst;
  let Inst{46-36} = NoRegister;
  let Inst{35-25} = {0, b{9-0}};
  let Inst{24-20} = function;
  let Inst{19-12} = shift;
  let Inst{11} = load_cc;
  let Inst{10-7} = byte_mask;
  let Fields = LoadFieldFormat;
  let Semantics = mnemonic;
  let Summary = summary;
  let Group = "Register";
  let Defs = [CC];
}
let Constraints = "$kept = $dst" in
def LD_FIELD : LoadField<0, "ld_field",
                         "replaces the masked bytes of dst by those of the shifted b; load_cc sets the condition codes",
                         (outs GPR:$dst), (ins GPR:$kept, byte_mask:$byte_mask, SRC:$b, shift:$shift,
                                                load_cc:$load_cc)>;
def LD_FIELD_W_CLR : LoadField<1, "ld_field_w_clr",
                               "dst = the masked bytes of the shifted b; load_cc sets the condition codes",
                               (outs DST:$dst), (ins byte_mask:$byte_mask, SRC:$b, shift:$shift, load_cc:$load_cc)>;

//   load_addr[dst, label]         63..58 = 6   dst   15..0 target: the control-store address of a label
def LOAD_ADDR : MicroengineInstruction<6, (outs DST:$dst), (ins control_store_address_i32:$target),
    "load_addr[$dst, $target]"> {
  bits<11> dst;
  bits<16> target;
  let Inst{57-47} = dst;
  let Inst{15-0} = target;
  let Fields = LoadAddressFormat;
  let Semantics = "load_addr";
  let Summary = "dst = the control-store address of a label";
  let Group = "Register";
}

//   find_bset[b]                  63..58 = 7   b   function 0: searches bits 15..0 of b (after the shift) from bit 0 up
//   find_bset_with_mask[a, b]     function 1: searches a AND b
//   load_bset_result1[dst]        63..58 = 7   dst   function 2: bit 8 found, 7..0 number; 3: the second result
class FindBitSet<bits<5> function, dag outs, dag ins, string asm> : MicroengineInstruction<7, outs, ins, asm> {
  bits<11> dst = NoRegister;
  bits<11> a = NoRegister;
  bits<11> b = NoRegister;
  bits<8> shift = 0;
  let Inst{57-47} = dst;
  let Inst{46-36} = a;
  let Inst{35-25} = b;
  let Inst{24-20} = function;
  let Inst{19-12} = shift;
  let Fields = ALUShiftFormat;
  let Group = "Register";
  let hasSideEffects = 1;
}
def FIND_BSET : FindBitSet<0, (outs), (ins SRC:$b, shift:$shift), "find_bset[$b, $shift]"> {
  bits<11> b;
  bits<8> shift;
  let Semantics = "find_bset";
  let Summary = "searches bits 15 to 0 of the shifted b for the lowest one that is set";
}
def FIND_BSET_WITH_MASK : FindBitSet<1, (outs), (ins SRC:$a, SRC:$b, shift:$shift),
    "find_bset_with_mask[$a, $b, $shift]"> {
  bits<11> a;
  bits<11> b;
  bits<8> shift;
  let Semantics = "find_bset_with_mask";
  let Summary = "the same in a AND the shifted b";
}
def LOAD_BSET_RESULT1 : FindBitSet<2, (outs DST:$dst), (ins), "load_bset_result1[$dst]"> {
  bits<11> dst;
  let Semantics = "load_bset_result1";
  let Summary = "dst = result of the last find_bset: bit 8 found, bits 7 to 0 its number";
}
def LOAD_BSET_RESULT2 : FindBitSet<3, (outs DST:$dst), (ins), "load_bset_result2[$dst]"> {
  bits<11> dst;
  let Semantics = "load_bset_result2";
  let Summary = "dst = result of the find_bset before that: bit 8 found, bits 7 to 0 its number";
}
