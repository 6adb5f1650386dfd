// Branches. All: function 24..20, 18 guess_branch, 17..16 defer, 15..0 target.
//
//   br, br<cc>          63..58 = 8    function = condition
//   br_bset, br_bclr    63..58 = 9    a   function 0, 1   57..53 bit number
//   br=byte, br!=byte   63..58 = 10   a   function 0, 1   35..28 byte_value   27..26 byte_number
//   br=ctx, br!=ctx     63..58 = 11   function 0, 1       57..53 context
//   br_inp_state        63..58 = 12   57..53 input state
//   br_!signal          63..58 = 13   57..53 signal (an event number)
//   jump, rtn           63..58 = 14   a   function 0 (target + a), 1 (a)

// guess_branch fits only what may not be taken and has its target in the word.
class BranchWord<bits<6> operation, bits<5> function, AbortClass aborts, Format fields, dag inputs, string mnemonic,
                 string operands, Operand tokens_kind = branch_tokens>
    : MicroengineInstruction<operation, (outs), !con(inputs, (ins tokens_kind:$tokens)),
        mnemonic#"["#operands#"]$tokens"> {
  bits<16> target;
  bits<3> tokens;
  let Inst{24-20} = function;
  let Inst{18} = !if(!eq(!cast<string>(tokens_kind), "branch_tokens"), tokens{2}, 0);
  let Inst{17-16} = tokens{1-0};
  let Inst{15-0} = target;
  let Fields = fields;
  let Aborts = aborts;
  let Group = "Branch";
  let isBranch = 1;
  let isTerminator = 1;
}

class ConditionalBranch<string condition, bits<5> function, string keyword, string when>
    : BranchWord<8, function, ConditionBranch, BranchFormat, (ins control_store_address:$target), "br"#condition,
        "$target"> {
  let Summary = "branches if "#when;
  let Semantics = "br_"#keyword;
  let Uses = [CC];
}
let isBarrier = 1 in
def BR : BranchWord<8, 0, UnconditionalBranch, BranchFormat, (ins control_store_address:$target), "br", "$target",
    defer_token> {
  let Summary = "branches";
  let Semantics = "br";
}
def BR_EQ    : ConditionalBranch<"=0", 1, "equal",
                                   "the result was zero">;
def BR_NE    : ConditionalBranch<"!=0", 2, "not_equal",
                                   "the result was not zero">;
def BR_GT    : ConditionalBranch<">0", 3, "greater",
                                   "the result was greater than zero (signed: zero clear, negative = overflow)">;
def BR_GE    : ConditionalBranch<">=0", 4, "greater_equal",
                                   "the result was not less than zero (signed: negative = overflow)">;
def BR_LT    : ConditionalBranch<"<0", 5, "less",
                                   "the result was less than zero (signed: negative != overflow)">;
def BR_LE    : ConditionalBranch<"<=0", 6, "less_equal",
                                   "the result was not greater than zero (signed)">;
def BR_COUT  : ConditionalBranch<"=cout", 7, "carry",
                                   "carry is set">;
def BR_NCOUT : ConditionalBranch<"!=cout", 8, "no_carry",
                                   "carry is clear">;

class BitBranch<string mnemonic, bits<5> function, string state>
    : BranchWord<9, function, TestBranch, BitBranchFormat, (ins SRC:$a, bit_number:$selector,
        control_store_address:$target), mnemonic,
                 "$a, $selector, $target"> {
  bits<11> a;
  bits<5> selector;
  let Inst{57-53} = selector;
  let Inst{46-36} = {0, a{9-0}};
  let Semantics = mnemonic;
  let Summary = "branches if the bit is "#state;
}
def BR_BSET : BitBranch<"br_bset", 0, "set">;
def BR_BCLR : BitBranch<"br_bclr", 1, "clear">;

class ByteBranch<string mnemonic, bits<5> function, string keyword, string verb>
    : BranchWord<10, function, TestBranch, ByteBranchFormat,
                 (ins SRC:$a, byte_number:$byte_number, uimm8:$byte_value, control_store_address:$target),
                 mnemonic, "$a, $byte_number, $byte_value, $target"> {
  bits<11> a;
  bits<2> byte_number;
  bits<8> byte_value;
  let Inst{46-36} = {0, a{9-0}};
  let Inst{35-28} = byte_value;
  let Inst{27-26} = byte_number;
  let Semantics = keyword;
  let Summary = "branches if the byte (0: the least significant) "#verb#" the value";
}
def BR_EQ_BYTE : ByteBranch<"br=byte", 0, "br_equal_byte", "equals">;
def BR_NE_BYTE : ByteBranch<"br!=byte", 1, "br_not_equal_byte", "differs from">;

class SelectorBranch<bits<6> operation, bits<5> function, DAGOperand selector_kind, string mnemonic, string keyword,
    string when>
    : BranchWord<operation, function, StateBranch, SelectorBranchFormat,
                 (ins selector_kind:$selector, control_store_address:$target), mnemonic, "$selector, $target"> {
  let Summary = "branches if "#when;
  bits<5> selector;
  let Inst{57-53} = selector;
  let Semantics = keyword;
  let hasSideEffects = 1;
}
def BR_EQ_CTX     : SelectorBranch<11, 0, context_number, "br=ctx", "br_equal_ctx", "this is the context">;
def BR_NE_CTX     : SelectorBranch<11, 1, context_number, "br!=ctx", "br_not_equal_ctx", "this is not the context">;
def BR_INP_STATE  : SelectorBranch<12, 0, input_state, "br_inp_state", "br_inp_state", "the state is set">;
def BR_NOT_SIGNAL : SelectorBranch<13, 0, signal_name, "br_!signal", "br_not_signal",
    "the signal has not come; clears it if it has">;

let isBarrier = 1 in {
  def JUMP : BranchWord<14, 0, TestBranch, RegisterBranchFormat, (ins SRC:$a, control_store_address:$target), "jump",
      "$a, $target",
                        defer_token> {
    bits<11> a;
    let Inst{46-36} = {0, a{9-0}};
    let Semantics = "jump";
    let Summary = "branches to the label's address + a";
    let isIndirectBranch = 1;
    let isNotDuplicable = 1;  // the table of a switch stands behind it
  }
  def RTN : BranchWord<14, 1, TestBranch, RegisterBranchFormat, (ins SRC:$a), "rtn", "$a", defer_token> {
    bits<11> a;
    let Inst{46-36} = {0, a{9-0}};
    let Inst{15-0} = 0;
    let Semantics = "rtn";
    let Summary = "branches to the address in a";
    let isReturn = 1;
    let isBranch = 0;
  }
}
