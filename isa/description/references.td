// References: commands that an engine sends to a unit.
//
//   63..58 unit (16 sram, 17 sdram, 18 scratch, 19 fbi registers and FIFOs, 20 hash, 21 pci)   57..47 transfer register
//   46..36 a, 35..25 b: the byte address is a + b   24..20 command   17..16 defer   15..12 count - 1   11..0 tokens
//
// count is in longwords (sram, scratch, FIFO transfers: 1-8) or quadwords (sdram: 1-4; FIFO to and from SDRAM: 1-8).
// The transfer register is the first of the burst. Address operands are registers or immediates 0-127.

// Which tokens an instruction takes: bits of the token set (operands.td).
defvar CommonTokens = 0b000001101111;      // ctx_swap, sig_done, indirect_ref, chain_ref, ordered, priority
defvar MemoryTokens = 0b000011111111;      // and optimize_mem, unlock
defvar FastWriteTokens = 0b000000000100;   // indirect_ref: nothing completes

class ReferenceWord<bits<6> operation, bits<5> command, int count, Unit unit, dag outs, dag ins, string asm,
                    bits<12> allowed = !if(!le(operation, 17), MemoryTokens, CommonTokens)>
    : MicroengineInstruction<operation, outs, ins, asm#"$tokens"> {
  bits<11> xfer = NoRegister;
  bits<11> a = NoRegister;
  bits<11> b = NoRegister;
  bits<14> tokens;
  let Inst{57-47} = xfer;
  let Inst{46-36} = a;
  let Inst{35-25} = b;
  let Inst{24-20} = command;
  let Inst{17-16} = !if(allowed{0}, tokens{13-12}, 0);
  let Inst{15-12} = !sub(count, 1);
  let Inst{11-8} = 0;
  let Inst{7} = !if(allowed{7}, tokens{7}, 0);
  let Inst{6} = !if(allowed{6}, tokens{6}, 0);
  let Inst{5} = !if(allowed{5}, tokens{5}, 0);
  let Inst{4} = !if(allowed{4}, tokens{4}, 0);
  let Inst{3} = !if(allowed{3}, tokens{3}, 0);
  let Inst{2} = !if(allowed{2}, tokens{2}, 0);
  let Inst{1} = !if(allowed{1}, tokens{1}, 0);
  let Inst{0} = !if(allowed{0}, tokens{0}, 0);
  let Fields = ReferenceFormat;
  let CompletesIn = unit;
  let Group = "Reference";
  let IsReference = 1;
}

// Address operands: rr, two registers; ri, a register and a byte offset; ii, two immediates.
class AddressForm<string letters, dag operands> { string Letters = letters; dag Operands = operands; }
def AddressRR : AddressForm<"rr", (ins SRC:$a, SRC:$b)>;
def AddressRI : AddressForm<"ri", (ins SRC:$a, uimm7:$b)>;
def AddressII : AddressForm<"ii", (ins uimm7:$a, uimm7:$b)>;

class ReferenceSummary<string command> {
  string Text = !cond(
    !eq(command, "read"): "reads memory into transfer registers",
    !eq(command, "write"): "writes transfer registers to memory",
    !eq(command, "read_lock"): "reads and locks the address; waits while another holds the lock",
    !eq(command, "write_unlock"): "writes and unlocks the address",
    !eq(command, "unlock"): "unlocks the address",
    !eq(command, "incr"): "adds one to the longword",
    !eq(command, "bit_wr"):
      "sets or clears the bits of the mask in the transfer register, or compares and swaps; test_and and compare_and_swap return the old longword",
    !eq(command, "r_fifo_rd"): "moves quadwords from the receive FIFO to SDRAM",
    !eq(command, "t_fifo_wr"): "moves quadwords from SDRAM to the transmit FIFO");
}

// A reference with an address. direction: "in" fills the transfer registers, "out" sends them, "none" has none.
class AddressedReference<bits<6> operation, bits<5> command, int count, Unit unit, string mnemonic, string command_text,
                         RegisterClass file, string direction, AddressForm address, string last>
    : ReferenceWord<operation, command, count, unit,
                    !if(!eq(direction, "in"), (outs file:$xfer), (outs)),
                    !con(!if(!eq(direction, "out"), (ins file:$xfer), (ins)), address.Operands,
                        (ins reference_tokens:$tokens)),
                    mnemonic#"["#command_text#", "#!if(!eq(direction, "none"), "--", "$xfer")#", $a, $b"#last#"]"> {
  bits<11> xfer;
  bits<11> a;
  bits<11> b;
  let Inst{57-47} = !if(!eq(direction, "none"), NoRegister, {0, xfer{9-0}});
  let Inst{46-36} = !if(!eq(address.Letters, "ii"), {1, 0, 0, 0, a{6-0}}, {0, a{9-0}});
  let Inst{35-25} = !if(!eq(address.Letters, "rr"), {0, b{9-0}}, {1, 0, 0, 0, b{6-0}});
  let Semantics = mnemonic#"_"#command_text;
  let Summary = ReferenceSummary<command_text>.Text;
  let mayLoad = !eq(direction, "in");
  let mayStore = !ne(direction, "in");
}

multiclass Addressed<bits<6> operation, bits<5> command, int count, Unit unit, string mnemonic, string command_text,
                     RegisterClass file, string direction, string last> {
  foreach address = [AddressRR, AddressRI, AddressII] in
    def "_"#address.Letters
        : AddressedReference<operation, command, count, unit, mnemonic, command_text, file, direction, address, last>;
}

// A register class holding a burst of n transfer registers of a file.
class BurstClass<string file, int n> {
  RegisterClass Class = !cast<RegisterClass>(!if(!eq(n, 1), file, file#"_x"#n));
}

// SRAM and scratch: bursts of 1-8 longwords in SRAM transfer registers.
foreach n = 1-8 in {
  defm SRAM_READ_#n : Addressed<16, 0, n, SRAMUnit, "sram", "read", BurstClass<"SRAMRead", n>.Class, "in", ", "#n>;
  defm SRAM_WRITE_#n : Addressed<16, 1, n, SRAMUnit, "sram", "write", BurstClass<"SRAMWrite", n>.Class, "out", ", "#n>;
  let hasSideEffects = 1 in {
    defm SRAM_READ_LOCK_#n : Addressed<16, 2, n, SRAMUnit, "sram", "read_lock", BurstClass<"SRAMRead", n>.Class, "in",
        ", "#n>;
    defm SRAM_WRITE_UNLOCK_#n : Addressed<16, 3, n, SRAMUnit, "sram", "write_unlock", BurstClass<"SRAMWrite", n>.Class,
        "out", ", "#n>;
  }
  defm SCRATCH_READ_#n : Addressed<18, 0, n, ScratchUnit, "scratch", "read", BurstClass<"SRAMRead", n>.Class,
                                      "in", ", "#n>;
  defm SCRATCH_WRITE_#n : Addressed<18, 1, n, ScratchUnit, "scratch", "write", BurstClass<"SRAMWrite", n>.Class,
                                       "out", ", "#n>;
}
let hasSideEffects = 1 in {
  defm SRAM_UNLOCK : Addressed<16, 4, 1, SRAMUnit, "sram", "unlock", SRAMRead, "none", ", 1">;
  defm SCRATCH_INCR : Addressed<18, 6, 1, ScratchUnit, "scratch", "incr", SRAMRead, "none", "">;
}
// Bit operations write the mask in $n; the test_and forms return the old value in the read register $n.
class BitOperation<string name, bits<5> command> {
  string Name = name;
  bits<5> Command = command;
}
foreach op = [BitOperation<"set_bits", 8>, BitOperation<"clear_bits", 9>,
              BitOperation<"test_and_set_bits", 10>, BitOperation<"test_and_clear_bits", 11>] in {
  let hasSideEffects = 1 in {
    defm SRAM_BIT_WR_#op.Name
        : Addressed<16, op.Command, 1, SRAMUnit, "sram", "bit_wr", SRAMWrite, "out", ", "#op.Name>;
    defm SCRATCH_BIT_WR_#op.Name
        : Addressed<18, op.Command, 1, ScratchUnit, "scratch", "bit_wr", SRAMWrite, "out", ", "#op.Name>;
  }
}
// $n is compared with the longword, and $n+1 takes its place where they are equal; the old value comes back in the read
// register $n. Performed by a cache: memory units by themselves do not have it.
let hasSideEffects = 1 in
defm SRAM_COMPARE_AND_SWAP
    : Addressed<16, 14, 1, SRAMUnit, "sram", "bit_wr", SRAMWrite_x2, "out", ", compare_and_swap">;
// Free lists: 8 linked lists of SRAM blocks. pop returns the address of a block, 0 when the list is empty.
let hasSideEffects = 1 in {
  def SRAM_POP : ReferenceWord<16, 13, 1, SRAMUnit, (outs SRAMRead:$xfer),
                               (ins list_number:$list_index, reference_tokens:$tokens),
                               "sram[pop, $xfer, --, --, $list_index]"> {
    bits<11> xfer;
    bits<3> list_index;
    let Inst{57-47} = {0, xfer{9-0}};
    let Inst{14-12} = list_index;
    let Semantics = "sram_pop";
    let Summary = "takes a block off a free list: its address, or 0 if the list is empty";
    let mayLoad = 1;
    let mayStore = 1;
  }
  foreach form = [AddressRR, AddressRI] in
  def SRAM_PUSH_#form.Letters : ReferenceWord<16, 12, 1, SRAMUnit, (outs),
                                                !con(form.Operands,
                                                     (ins list_number:$list_index, reference_tokens:$tokens)),
                                "sram[push, --, $a, $b, $list_index]"> {
    bits<11> a;
    bits<11> b;
    bits<3> list_index;
    let Inst{46-36} = {0, a{9-0}};
    let Inst{35-25} = !if(!eq(form.Letters, "rr"), {0, b{9-0}}, {1, 0, 0, 0, b{6-0}});
    let Inst{14-12} = list_index;
    let Semantics = "sram_push";
    let Summary = "puts the block at a + b on a free list";
    let mayLoad = 1;
    let mayStore = 1;
  }
}

// SDRAM: bursts of 1-4 quadwords in SDRAM transfer registers.
foreach n = 1-4 in {
  defm SDRAM_READ_#n : Addressed<17, 0, n, SDRAMUnit, "sdram", "read", BurstClass<"SDRAMRead", !mul(2, n)>.Class,
                                    "in", ", "#n>;
  defm SDRAM_WRITE_#n : Addressed<17, 1, n, SDRAMUnit, "sdram", "write", BurstClass<"SDRAMWrite", !mul(2, n)>.Class,
                                     "out", ", "#n>;
}
// Between SDRAM and the receive or transmit FIFO: a is the SDRAM address, b the byte address in the FIFO
// (64 x element).
foreach n = 1-8 in {
  let hasSideEffects = 1 in {
    defm SDRAM_R_FIFO_RD_#n : Addressed<17, 2, n, SDRAMUnit, "sdram", "r_fifo_rd", SDRAMRead, "none", ", "#n>;
    defm SDRAM_T_FIFO_WR_#n : Addressed<17, 3, n, SDRAMUnit, "sdram", "t_fifo_wr", SDRAMRead, "none", ", "#n>;
  }
}

// FIFOs and registers behind the FBI, through SRAM transfer registers.
class FIFOReference<bits<5> command, string mnemonic, int count, RegisterClass file, bit is_read, AddressForm address>
    : ReferenceWord<19, command, count, FBIUnit, !if(is_read, (outs file:$xfer), (outs)),
                    !con(!if(is_read, (ins), (ins file:$xfer)), address.Operands, (ins reference_tokens:$tokens)),
                    mnemonic#"[$xfer, $a, $b, "#count#"]"> {
  bits<11> xfer;
  bits<11> a;
  bits<11> b;
  let Inst{57-47} = {0, xfer{9-0}};
  let Inst{46-36} = !if(!eq(address.Letters, "ii"), {1, 0, 0, 0, a{6-0}}, {0, a{9-0}});
  let Inst{35-25} = !if(!eq(address.Letters, "rr"), {0, b{9-0}}, {1, 0, 0, 0, b{6-0}});
  let Semantics = mnemonic;
  let Summary = !if(is_read, "reads the receive FIFO into transfer registers",
      "writes transfer registers to the transmit FIFO");
  let hasSideEffects = 1;
}
foreach n = 1-8 in foreach address = [AddressRR, AddressRI, AddressII] in {
  def R_FIFO_RD_#n#"_"#address.Letters : FIFOReference<2, "r_fifo_rd", n, BurstClass<"SRAMRead", n>.Class, 1, address>;
  def T_FIFO_WR_#n#"_"#address.Letters : FIFOReference<3, "t_fifo_wr", n, BurstClass<"SRAMWrite", n>.Class, 0, address>;
}
class CSRReference<bits<5> command, string text, dag outputs, dag inputs>
    : ReferenceWord<19, command, 1, FBIUnit, outputs,
                    !con(inputs, (ins control_status_register:$csr, reference_tokens:$tokens)),
                    "csr["#text#", $xfer, $csr]"> {
  bits<11> xfer;
  bits<10> csr;
  let Inst{57-47} = {0, xfer{9-0}};
  let Inst{35} = 0;
  let Inst{34-25} = csr;
  let Fields = CSRFormat;
  let Semantics = "csr_"#text;
  let Summary = text#"s a register behind the FBI";
  let hasSideEffects = 1;
}
def CSR_READ : CSRReference<0, "read", (outs SRAMRead:$xfer), (ins)>;
def CSR_WRITE : CSRReference<1, "write", (outs), (ins SRAMWrite:$xfer)>;

// fast_wr[data, csr]: sends data to a register of the FBI without a transfer register and without completion.
class FastWrite<dag data, bit is_register>
    : ReferenceWord<19, 4, 1, NoUnit, (outs), !con(data, (ins control_status_register:$csr, reference_tokens:$tokens)),
                    "fast_wr[$data, $csr]", FastWriteTokens> {
  bits<11> data;
  bits<10> csr;
  // an immediate of 10 bits takes the transfer register's field
  let Inst{57-47} = !if(is_register, NoRegister, {0, data{9-0}});
  let Inst{46-36} = !if(is_register, {0, data{9-0}}, NoRegister);
  let Inst{35} = 0;
  let Inst{34-25} = csr;
  let Fields = CSRFormat;
  let Semantics = "fast_wr";
  let Summary = "writes a register behind the FBI, without a transfer register and without completion";
  let hasSideEffects = 1;
}
def FAST_WR_r : FastWrite<(ins SRC:$data), 1>;
def FAST_WR_i : FastWrite<(ins uimm10:$data), 0>;

// hashN_48, hashN_64: hashes N keys of two longwords each in write registers; the results come in the read registers of
// the same numbers.
class Hash<int keys, int width, bits<5> command>
    : ReferenceWord<20, command, !mul(2, keys), HashUnit, (outs),
                    (ins BurstClass<"SRAMWrite", !mul(2, keys)>.Class:$xfer, reference_tokens:$tokens),
                    "hash"#keys#"_"#width#"[$xfer]"> {
  bits<11> xfer;
  let Inst{57-47} = {0, xfer{9-0}};
  let Semantics = "hash_"#width;
  let Summary = "hashes 1 to 3 keys of "#width#" bits, two longwords each";
  let hasSideEffects = 1;
}
foreach keys = 1-3 in {
  def HASH#keys#_48 : Hash<keys, 48, 0>;
  def HASH#keys#_64 : Hash<keys, 64, 1>;
}

// Raw access to the PCI unit's DMA is named by the instruction set but not modelled.
def PCI_DMA : ReferenceWord<21, 0, 1, PCIUnit, (outs), (ins SRC:$a, uimm7:$b, reference_tokens:$tokens),
    "pci_dma[$a, $b]"> {
  bits<11> a;
  bits<11> b;
  let Inst{46-36} = {0, a{9-0}};
  let Inst{35-25} = {1, 0, 0, 0, b{6-0}};
  let Semantics = "pci_dma";
  let Summary = "starts the PCI unit's DMA (not modelled)";
  let hasSideEffects = 1;
}
