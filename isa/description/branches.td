// Branches.
//
//   br, br<cc>          63..58 = 8    function = condition                 18 guess_branch   17..16 defer   15..0 target
//   br_bset, br_bclr    63..58 = 9    a   function 0, 1   57..53 bit number
//   br=byte, br!=byte   63..58 = 10   a   function 0, 1   35..28 byte_value   27..26 byte_number
//   br=ctx, br!=ctx     63..58 = 11   function 0, 1       57..53 context
//   br_inp_state        63..58 = 12   57..53 input state
//   br_!signal          63..58 = 13   57..53 signal (an event number)
//   jump, rtn           63..58 = 14   a   function 0 (target + a), 1 (a)
class BranchWord<bits<6> operation, bits<5> function, AbortClass aborts, dag ins, string mnemonic, string operands>
    : MicroengineInstruction<operation, (outs), ins, mnemonic#"["#operands#"]$tokens"> {
  bits<16> target;
  bits<3> tokens;
  let Inst{24-20} = function;
  let Inst{18-16} = {tokens{2}, tokens{1-0}};
  let Inst{15-0} = target;
  let Aborts = aborts;
  let Group = "Branch";
  let isBranch = 1;
  let isTerminator = 1;
}

class ConditionalBranch<string condition, bits<5> function, string keyword>
    : BranchWord<8, function, ConditionBranch, (ins control_store_address:$target, branch_tokens:$tokens), "br"#condition, "$target"> {
  let Semantics = "br_"#keyword;
  let Uses = [CC];
}
let isBarrier = 1 in
def BR : BranchWord<8, 0, UnconditionalBranch, (ins control_store_address:$target, branch_tokens:$tokens), "br", "$target"> {
  let Semantics = "br";
}
def BR_EQ    : ConditionalBranch<"=0", 1, "equal">;
def BR_NE    : ConditionalBranch<"!=0", 2, "not_equal">;
def BR_GT    : ConditionalBranch<">0", 3, "greater">;             // signed: zero clear, negative = overflow
def BR_GE    : ConditionalBranch<">=0", 4, "greater_equal">;
def BR_LT    : ConditionalBranch<"<0", 5, "less">;                // signed: negative != overflow
def BR_LE    : ConditionalBranch<"<=0", 6, "less_equal">;
def BR_COUT  : ConditionalBranch<"=cout", 7, "carry">;
def BR_NCOUT : ConditionalBranch<"!=cout", 8, "no_carry">;

class BitBranch<string mnemonic, bits<5> function>
    : BranchWord<9, function, TestBranch, (ins SRC:$a, bit_number:$selector, control_store_address:$target, branch_tokens:$tokens),
                 mnemonic, "$a, $selector, $target"> {
  bits<11> a;
  bits<5> selector;
  let Inst{57-53} = selector;
  let Inst{46-36} = {0, a{9-0}};
  let Semantics = mnemonic;
}
def BR_BSET : BitBranch<"br_bset", 0>;
def BR_BCLR : BitBranch<"br_bclr", 1>;

class ByteBranch<string mnemonic, bits<5> function, string keyword>
    : BranchWord<10, function, TestBranch,
                 (ins SRC:$a, byte_number:$byte_number, uimm8:$byte_value, control_store_address:$target, branch_tokens:$tokens),
                 mnemonic, "$a, $byte_number, $byte_value, $target"> {
  bits<11> a;
  bits<2> byte_number;
  bits<8> byte_value;
  let Inst{46-36} = {0, a{9-0}};
  let Inst{35-28} = byte_value;
  let Inst{27-26} = byte_number;
  let Semantics = keyword;
}
def BR_EQ_BYTE : ByteBranch<"br=byte", 0, "br_equal_byte">;
def BR_NE_BYTE : ByteBranch<"br!=byte", 1, "br_not_equal_byte">;

class SelectorBranch<bits<6> operation, bits<5> function, DAGOperand selector_kind, string mnemonic, string keyword>
    : BranchWord<operation, function, StateBranch, (ins selector_kind:$selector, control_store_address:$target, branch_tokens:$tokens),
                 mnemonic, "$selector, $target"> {
  bits<5> selector;
  let Inst{57-53} = selector;
  let Semantics = keyword;
  let hasSideEffects = 1;
}
def BR_EQ_CTX     : SelectorBranch<11, 0, context_number, "br=ctx", "br_equal_ctx">;
def BR_NE_CTX     : SelectorBranch<11, 1, context_number, "br!=ctx", "br_not_equal_ctx">;
def BR_INP_STATE  : SelectorBranch<12, 0, input_state, "br_inp_state", "br_inp_state">;
def BR_NOT_SIGNAL : SelectorBranch<13, 0, signal_name, "br_!signal", "br_not_signal">;

let isIndirectBranch = 1, isBarrier = 1 in {
  def JUMP : BranchWord<14, 0, TestBranch, (ins SRC:$a, control_store_address:$target, branch_tokens:$tokens), "jump", "$a, $target"> {
    bits<11> a;
    let Inst{46-36} = {0, a{9-0}};
    let Semantics = "jump";
  }
}
let isReturn = 1, isBarrier = 1, isBranch = 0 in
def RTN : BranchWord<14, 1, TestBranch, (ins SRC:$a, branch_tokens:$tokens), "rtn", "$a"> {
  bits<11> a;
  let Inst{15-0} = 0;
  let Inst{46-36} = {0, a{9-0}};
  let Semantics = "rtn";
  let isBranch = 0;
}
