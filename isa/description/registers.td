// Registers. HWEncoding is the 11-bit operand code that stands in every register field of an instruction:
//
//   10   9 8    7 .. 0
//   0    00     bank(bit 4), number(3..0)   general-purpose register, context-relative: a0-a15, b0-b15
//   0    01     bank(bit 6), number(5..0)   general-purpose register, absolute: @a0-@a63, @b0-@b63
//   0    10     unit(bit 3), number(2..0)   transfer register, context-relative: $0-$7 (SRAM), $$0-$$7 (SDRAM)
//   0    11     unit(bit 5), number(4..0)   transfer register, absolute: @$0-@$31, @$$0-@$$31
//   1    00     value                       immediate (0-255; the instruction says how much of it is allowed)
//   1    01     0                           no register, written --
//
// A transfer register code names the read register in a source field and the write register, a different physical
// register, in a destination field.
class MicroengineRegister<int operand_code, string name> : Register<name> {
  let HWEncoding = operand_code;
  let Namespace = "Microengine";
  let DwarfNumbers = [operand_code];
}

foreach i = 0-15 in {
  def A#i : MicroengineRegister<i, "a"#i>;
  def B#i : MicroengineRegister<!add(16, i), "b"#i>;
}
foreach i = 0-63 in {
  def AbsoluteA#i : MicroengineRegister<!add(0x100, i), "@a"#i>;
  def AbsoluteB#i : MicroengineRegister<!add(0x140, i), "@b"#i>;
}
// SR, SW: SRAM read and write; DR, DW: SDRAM read and write.
foreach i = 0-7 in {
  def SR#i : MicroengineRegister<!add(0x200, i), "$"#i>;
  def SW#i : MicroengineRegister<!add(0x200, i), "$"#i>;
  def DR#i : MicroengineRegister<!add(0x208, i), "$$"#i>;
  def DW#i : MicroengineRegister<!add(0x208, i), "$$"#i>;
}
foreach i = 0-31 in {
  def AbsoluteSR#i : MicroengineRegister<!add(0x300, i), "@$"#i>;
  def AbsoluteSW#i : MicroengineRegister<!add(0x300, i), "@$"#i>;
  def AbsoluteDR#i : MicroengineRegister<!add(0x320, i), "@$$"#i>;
  def AbsoluteDW#i : MicroengineRegister<!add(0x320, i), "@$$"#i>;
}
let Namespace = "Microengine" in {
  def CC : Register<"cc">;   // condition codes: zero, negative, overflow, carry out
  foreach i = 0-7 in def word#i : SubRegIndex<32, !mul(32, i)>;
}

class MicroengineClass<dag members> : RegisterClass<"Microengine", [i32], 32, members>;
class UnallocatedClass<dag members> : MicroengineClass<members> { let isAllocatable = 0; }

def GPRA : MicroengineClass<(sequence "A%u", 0, 15)>;
def GPRB : MicroengineClass<(sequence "B%u", 0, 15)>;
// Interleaved, so that values without a preference spread over both banks.
def GPR : MicroengineClass<(interleave (sequence "A%u", 0, 15), (sequence "B%u", 0, 15))>;
def SRAMRead : MicroengineClass<(sequence "SR%u", 0, 7)>;
def SRAMWrite : MicroengineClass<(sequence "SW%u", 0, 7)>;
def SDRAMRead : MicroengineClass<(sequence "DR%u", 0, 7)>;
def SDRAMWrite : MicroengineClass<(sequence "DW%u", 0, 7)>;

def AbsoluteGPR : UnallocatedClass<(add (sequence "AbsoluteA%u", 0, 63), (sequence "AbsoluteB%u", 0, 63))>;
def AbsoluteRead : UnallocatedClass<(add (sequence "AbsoluteSR%u", 0, 31), (sequence "AbsoluteDR%u", 0, 31))>;
def AbsoluteWrite : UnallocatedClass<(add (sequence "AbsoluteSW%u", 0, 31), (sequence "AbsoluteDW%u", 0, 31))>;
def CCR : UnallocatedClass<(add CC)> { let CopyCost = -1; }

// What a source field and a destination field can name. That two general-purpose sources must come from different
// banks is a rule over two operands: the assembler checks it, the bank assignment pass keeps it and the machine
// verifier's hook holds it.
def SRC : MicroengineClass<(add GPR, SRAMRead, SDRAMRead, AbsoluteGPR, AbsoluteRead)>;
def DST : MicroengineClass<(add GPR, SRAMWrite, SDRAMWrite, AbsoluteGPR, AbsoluteWrite)>;

// Bursts: N consecutive transfer registers of one context.
class Burst<RegisterClass file, int n> : RegisterTuples<
    !foreach(i, !range(n), !cast<SubRegIndex>("word"#i)),
    !foreach(i, !range(n), (trunc (rotl file, i), !sub(9, n)))>;

multiclass Bursts<RegisterClass file> {
  foreach n = 2-8 in {
    def Tuple#n : Burst<file, n>;
    def x#n : RegisterClass<"Microengine", [!cast<ValueType>("v"#n#"i32")], 32, (add !cast<RegisterTuples>(NAME#"Tuple"#n))> {
      let Size = !mul(32, n);
    }
  }
}
defm SRAMRead_ : Bursts<SRAMRead>;
defm SRAMWrite_ : Bursts<SRAMWrite>;
defm SDRAMRead_ : Bursts<SDRAMRead>;
defm SDRAMWrite_ : Bursts<SDRAMWrite>;

// Exchanges: N write registers and the N read registers of the same numbers, for references that answer in the registers
// that asked. Words 0 to N - 1 are sent, words N to 2N - 1 come back. For the code generator alone.
class Exchange<int n> : RegisterTuples<
    !foreach(i, !range(!mul(2, n)), !cast<SubRegIndex>("word"#i)),
    !listconcat(!foreach(i, !range(n), (trunc (rotl SRAMWrite, i), !sub(9, n))),
                !foreach(i, !range(n), (trunc (rotl SRAMRead, i), !sub(9, n))))>;
foreach n = 1-2 in {
  def SRAMExchangeTuple#n : Exchange<n>;
  def SRAMExchange_x#n
      : RegisterClass<"Microengine", [untyped], 32, (add !cast<RegisterTuples>("SRAMExchangeTuple"#n))> {
    let Size = !mul(64, n);
  }
}
