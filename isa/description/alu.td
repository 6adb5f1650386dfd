// ALU instructions.
//
//   alu[dst, a, op, b]                63..58 = 1   dst   a   b   function = op
//   alu_shf[dst, a, op, b, shift]     63..58 = 2   the same and shift: b is shifted first
//   dbl_shf[dst, a, b, >>n]           63..58 = 3   the low 32 bits of a:b shifted right by n (1-31)
//
// Each operand form (r: register, i: immediate 0-31, n: --) is one instruction to LLVM and the same operation to the
// machine. Condition codes: zero and negative of the result; overflow and carry out of + and -, cleared by the rest.
// Carry out of a subtraction means "no borrow".

// A function of the operands a and b. `result` describes it; `meaning` is C++: of a sum its two terms and the carry in,
// of another function the result. `carry` is 0 or 1, `negative` true or false, both as an earlier instruction left them.
class ALUFunction<string token, string keyword, bits<5> number, string result, string meaning> {
  string Token = token;
  string Keyword = keyword;
  bits<5> Number = number;
  string Result = result;
  string Meaning = meaning;
  bit MayOverflow = 0;
}
class SumFunction<string token, string keyword, bits<5> number, string result, string meaning>
    : ALUFunction<token, keyword, number, result, meaning> { let MayOverflow = 1; }
def Add      : SumFunction<"+", "add", 0, "a + b", "a, b, 0">;
def Sub      : SumFunction<"-", "sub", 1, "a - b", "a, ~b, 1">;
def RSub     : SumFunction<"B-A", "reverse_sub", 2, "b - a", "b, ~a, 1">;
def Move     : ALUFunction<"B", "b", 3, "b", "b">;
def Not      : ALUFunction<"~B", "not_b", 4, "the complement of b", "~b">;
def And      : ALUFunction<"AND", "and", 5, "a AND b", "a & b">;
def NotAnd   : ALUFunction<"~AND", "not_and", 6, "(complement of a) AND b", "~a & b">;
def AndNot   : ALUFunction<"AND~", "and_not", 7, "a AND (complement of b)", "a & ~b">;
def Or       : ALUFunction<"OR", "or", 8, "a OR b", "a | b">;
def Xor      : ALUFunction<"XOR", "xor", 9, "a XOR b", "a ^ b">;
def AddCarry : SumFunction<"+carry", "add_carry", 10, "a + b + the carry of an earlier instruction", "a, b, carry">;
def AddSign  : SumFunction<"+IFsign", "add_if_sign", 11, "a + b if the negative flag is set, otherwise b",
                           "negative ? a : 0, b, 0">;
def Add4     : SumFunction<"+4", "add_4", 12, "a + the low 4 bits of b", "a, b & 0xf, 0">;
def Add8     : SumFunction<"+8", "add_8", 13, "a + the low 8 bits of b", "a, b & 0xff, 0">;
def Add16    : SumFunction<"+16", "add_16", 14, "a + the low 16 bits of b", "a, b & 0xffff, 0">;

// How an operand is written and encoded.
class OperandForm<string letter> {
  bit IsRegister = !eq(letter, "r");
  bit IsImmediate = !eq(letter, "i");
  bit IsNone = !eq(letter, "n");
}
def R : OperandForm<"r">;
def I : OperandForm<"i">;
def N : OperandForm<"n">;

// dst, a and b fields of one operand form, for every instruction that has these three fields.
class ThreeOperands<bits<6> operation, OperandForm d, OperandForm x, OperandForm y, dag more, string asm>
    : MicroengineInstruction<operation, !if(d.IsRegister, (outs DST:$dst), (outs)),
        !con(!if(x.IsRegister, (ins SRC:$a), !if(x.IsImmediate, (ins uimm5:$a), (ins))),
             !if(y.IsRegister, (ins SRC:$b), !if(y.IsImmediate, (ins uimm5:$b), (ins))), more), asm> {
  bits<11> dst;
  bits<11> a;
  bits<11> b;
  let Inst{57-47} = !if(d.IsRegister, dst, NoRegister);
  let Inst{46-36} = !cond(x.IsRegister: {0, a{9-0}}, x.IsImmediate: {1, 0, 0, 0, 0, 0, a{4-0}}, true: NoRegister);
  let Inst{35-25} = !cond(y.IsRegister: {0, b{9-0}}, y.IsImmediate: {1, 0, 0, 0, 0, 0, b{4-0}}, true: NoRegister);
}
class DstText<OperandForm d> { string Text = !if(d.IsRegister, "$dst", "--"); }
class AText<OperandForm x> { string Text = !if(x.IsNone, "--", "$a"); }

class ALUInstruction<ALUFunction f, OperandForm d, OperandForm x, OperandForm y>
    : ThreeOperands<1, d, x, y, (ins), "alu["#DstText<d>.Text#", "#AText<x>.Text#", "#f.Token#", $b]"> {
  let Inst{24-20} = f.Number;
  let Fields = ALUFormat;
  let Semantics = "alu_"#f.Keyword;
  let Summary = "dst = "#f.Result;
  let ClearsOverflow = !not(f.MayOverflow);
  let Group = "ALU";
  let Defs = [CC];
}

// NAME_rr, NAME_ri, NAME_ir, and NAME_cc_.. without a destination (condition codes only).
multiclass ALUBinary<ALUFunction f> {
  foreach d = [R, N] in {
    defvar prefix = !if(d.IsRegister, "_", "_cc_");
    def prefix#"rr" : ALUInstruction<f, d, R, R>;
    def prefix#"ri" : ALUInstruction<f, d, R, I>;
    def prefix#"ir" : ALUInstruction<f, d, I, R>;
  }
}
multiclass ALUUnary<ALUFunction f> {
  foreach d = [R, N] in {
    defvar prefix = !if(d.IsRegister, "_", "_cc_");
    def prefix#"r" : ALUInstruction<f, d, N, R>;
    def prefix#"i" : ALUInstruction<f, d, N, I>;
  }
}
defm ADD : ALUBinary<Add>;
defm SUB : ALUBinary<Sub>;
defm RSUB : ALUBinary<RSub>;
defm AND : ALUBinary<And>;
defm NOT_AND : ALUBinary<NotAnd>;
defm AND_NOT : ALUBinary<AndNot>;
defm OR : ALUBinary<Or>;
defm XOR : ALUBinary<Xor>;
defm ADD_4 : ALUBinary<Add4>;
defm ADD_8 : ALUBinary<Add8>;
defm ADD_16 : ALUBinary<Add16>;
let Uses = [CC] in {
  defm ADD_CARRY : ALUBinary<AddCarry>;
  defm ADD_SIGN : ALUBinary<AddSign>;
}
defm MOVE : ALUUnary<Move>;
defm NOT : ALUUnary<Not>;

class ALUShiftInstruction<ALUFunction f, OperandForm d, OperandForm x, OperandForm y>
    : ThreeOperands<2, d, x, y, (ins shift:$shift),
        "alu_shf["#DstText<d>.Text#", "#AText<x>.Text#", "#f.Token#", $b, $shift]"> {
  bits<8> shift;
  let Inst{24-20} = f.Number;
  let Inst{19-12} = shift;
  let Fields = ALUShiftFormat;
  let Semantics = "alu_shf_"#f.Keyword;
  let Summary = "dst = "#f.Result#", b shifted first";
  let ClearsOverflow = !not(f.MayOverflow);
  let Group = "ALU";
  let Defs = [CC];
}
multiclass ALUShiftBinary<ALUFunction f> {
  foreach d = [R, N] in {
    defvar prefix = !if(d.IsRegister, "_", "_cc_");
    def prefix#"rr" : ALUShiftInstruction<f, d, R, R>;
    def prefix#"ri" : ALUShiftInstruction<f, d, R, I>;
    def prefix#"ir" : ALUShiftInstruction<f, d, I, R>;
  }
}
multiclass ALUShiftUnary<ALUFunction f> {
  foreach d = [R, N] in {
    defvar prefix = !if(d.IsRegister, "_", "_cc_");
    def prefix#"r" : ALUShiftInstruction<f, d, N, R>;
    def prefix#"i" : ALUShiftInstruction<f, d, N, I>;
  }
}
defm SHIFT_MOVE : ALUShiftUnary<Move>;
defm SHIFT_NOT : ALUShiftUnary<Not>;
defm SHIFT_AND : ALUShiftBinary<And>;
defm SHIFT_NOT_AND : ALUShiftBinary<NotAnd>;
defm SHIFT_AND_NOT : ALUShiftBinary<AndNot>;
defm SHIFT_OR : ALUShiftBinary<Or>;

// The low 32 bits of the 64-bit value a:b, shifted right.
class DoubleShift<OperandForm d> : ThreeOperands<3, d, R, R, (ins right_shift:$shift),
    "dbl_shf["#DstText<d>.Text#", $a, $b, $shift]"> {
  bits<8> shift;
  let Inst{19-12} = shift;
  let Fields = ALUShiftFormat;
  let Semantics = "dbl_shf";
  let Summary = "dst = the low 32 bits of the 64-bit value a:b, shifted right by 1 to 31";
  let ClearsOverflow = 1;
  let Group = "ALU";
  let Defs = [CC];
}
def DOUBLE_SHIFT : DoubleShift<R>;
def DOUBLE_SHIFT_cc : DoubleShift<N>;
