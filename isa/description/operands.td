// Operands that are not registers. The assembler reads an operand by the name of its definition here.

// A small unsigned immediate. In a register field: operand code 1 00 vvvvvvvv.
class FieldImmediate<int width> : Operand<i32>, ImmLeaf<i32, "return isUInt<"#width#">(Imm);"> { int Width = width; }
def uimm5 : FieldImmediate<5>;      // ALU operand
def uimm7 : FieldImmediate<7>;      // byte offset of a reference
def uimm8 : FieldImmediate<8>;      // byte to compare or to load
def uimm10 : FieldImmediate<10>;    // fast_wr data
def byte_number : FieldImmediate<2>;
def byte_mask : FieldImmediate<4> { let PrintMethod = "printByteMask"; }   // 0b0000; bit 3: the most significant byte
def list_number : FieldImmediate<3>;
def bit_number : FieldImmediate<5>;
def context_number : FieldImmediate<2>;

// 16 bits of data, or the low or high half of a symbol's address: %lo(symbol), %hi(symbol).
def half_word : Operand<i32> { let EncoderMethod = "getHalfWordEncoding"; }

// A control-store address in words, or a label.
def control_store_address : Operand<OtherVT> {
  let EncoderMethod = "getTargetEncoding";
  let PrintMethod = "printTarget";
}
def control_store_address_i32 : Operand<i32> {
  let EncoderMethod = "getTargetEncoding";
  let PrintMethod = "printTarget";
}

// Words of the assembly language with a number behind them: shifts, tokens, states, registers of units.
// Not every number stands for a word; the decoders refuse those that do not.
class NamedOperand<string name> : Operand<i32> {
  let PrintMethod = "print"#name;
  let DecoderMethod = "decode"#name;
}
// Kinds of shift (7..5 of the operand, amount in 4..0): 0 none, 1 <<n, 2 >>n, 3 <<rotn, 4 >>rotn, 5 <<indirect,
// 6 >>indirect.
def shift : NamedOperand<"Shift">;
def right_shift : NamedOperand<"Shift"> { let DecoderMethod = "decodeRightShift"; }   // dbl_shf: >>n only
def immed_position : NamedOperand<"ImmedPosition">;     // 0: none, 1: <<8, 2: <<16; bit 2: the other bits are ones
def control_status_register : NamedOperand<"CSR">;      // csr and fast_wr
def local_csr : NamedOperand<"LocalCSR">;               // local_csr_rd
def input_state : NamedOperand<"InputState">;
def signal_name : NamedOperand<"Signal">;               // the number of an event
def event_list : NamedOperand<"EventList">;             // ctx_arb: bits of events, at least one

// Optional tokens behind the closing bracket, in any order; one operand, so that one instruction form serves all.
// defer_token: the defer count, bits 1..0. Branch tokens: besides, guess_branch in bit 2.
// Reference tokens: bits 11..0 the token set below, 13..12 defer count. They are encoded in 11..0 and 17..16.
// load_cc (register group): 1 when given; encoded in bit 11.
class TokensOperand<string name> : Operand<i32> { let PrintMethod = "print"#name; }
def branch_tokens : TokensOperand<"BranchTokens">;
def defer_token : TokensOperand<"BranchTokens">;
def reference_tokens : TokensOperand<"ReferenceTokens">;
def load_cc : TokensOperand<"LoadCC">;

class Token<string name, int position> { string Name = name; int Bit = position; }
def TokenCtxSwap     : Token<"ctx_swap", 0>;
def TokenSigDone     : Token<"sig_done", 1>;
def TokenIndirectRef : Token<"indirect_ref", 2>;
def TokenChainRef    : Token<"chain_ref", 3>;
def TokenOptimizeMem : Token<"optimize_mem", 4>;
def TokenOrdered     : Token<"ordered", 5>;
def TokenPriority    : Token<"priority", 6>;
def TokenUnlock      : Token<"unlock", 7>;

class Event<string name, int position> { string Name = name; int Bit = position; }
def EventSRAM            : Event<"sram", 0>;
def EventSDRAM           : Event<"sdram", 1>;
def EventFBI             : Event<"fbi", 2>;
def EventPCI             : Event<"pci", 3>;
def EventInterThread     : Event<"inter_thread", 4>;
def EventSeqNum1Change   : Event<"seq_num1_change", 5>;
def EventSeqNum2Change   : Event<"seq_num2_change", 6>;
def EventAutoPush        : Event<"auto_push", 7>;
def EventStartReceive    : Event<"start_receive", 8>;
def EventVoluntary       : Event<"voluntary", 9>;
def EventKill            : Event<"kill", 10>;

class InputState<string name, int number> { string Name = name; int Number = number; }
def StateReceiveRequestAvailable : InputState<"rec_req_avail", 0>;
def StatePushProtect             : InputState<"push_protect", 1>;
def StateSequenceNumber1         : InputState<"seq_num1_lsb", 2>;
def StateSequenceNumber2         : InputState<"seq_num2_lsb", 3>;

// Registers behind the FBI (csr, fast_wr). docs/chip.md describes their fields.
class ControlStatusRegister<string name, int number> { string Name = name; int Number = number; }
def CSRReceiveReady        : ControlStatusRegister<"rcv_rdy_lo", 0>;
def CSRReceiveReadyHigh    : ControlStatusRegister<"rcv_rdy_hi", 1>;
def CSRReceiveReadyCount   : ControlStatusRegister<"rcv_rdy_cnt", 2>;
def CSRReceiveRequest      : ControlStatusRegister<"rcv_req", 3>;
def CSRReceiveControl      : ControlStatusRegister<"rcv_cntl", 4>;
def CSRTransmitReady       : ControlStatusRegister<"xmit_rdy_lo", 5>;
def CSRTransmitReadyHigh   : ControlStatusRegister<"xmit_rdy_hi", 6>;
def CSRTransmitValidate    : ControlStatusRegister<"xmit_validate", 7>;
def CSRTransmitPointer     : ControlStatusRegister<"xmit_ptr", 8>;
def CSRInterThreadSignal   : ControlStatusRegister<"inter_thd_sig", 9>;
def CSRThreadDone          : ControlStatusRegister<"thread_done", 10>;
def CSRSequenceNumber1     : ControlStatusRegister<"enqueue_seq1", 11>;
def CSRSequenceNumber2     : ControlStatusRegister<"enqueue_seq2", 12>;
def CSRIncrementSequence1  : ControlStatusRegister<"incr_enq_num1", 13>;
def CSRIncrementSequence2  : ControlStatusRegister<"incr_enq_num2", 14>;
def CSRSelfDestruct        : ControlStatusRegister<"self_destruct", 15>;
def CSRCycleCount          : ControlStatusRegister<"cyc_cnt", 16>;
foreach i = 0-5 in def CSRHashMultiplier#i : ControlStatusRegister<"hash_multiplier_"#i, !add(20, i)>;

class LocalCSR<string name, int number> { string Name = name; int Number = number; }
def LocalCSRActiveContext  : LocalCSR<"active_ctx", 0>;       // number of the executing context
def LocalCSREngine         : LocalCSR<"engine", 1>;           // number of this microengine
def LocalCSRCycleCount     : LocalCSR<"cycle_count", 2>;      // core cycles since reset, low 32 bits
