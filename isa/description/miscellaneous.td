// Context arbitration, local registers, nop.

//   ctx_arb[events]               63..58 = 24   10..0 events   17..16 defer
def CTX_ARB : MicroengineInstruction<24, (outs), (ins event_list:$events, defer_token:$tokens),
    "ctx_arb[$events]$tokens"> {
  bits<11> events;
  bits<2> tokens;
  let Inst{17-16} = tokens;
  let Inst{10-0} = events;
  let Fields = ArbitrationFormat;
  let Semantics = "ctx_arb";
  let Aborts = ContextSwap;
  let Group = "Miscellaneous";
  let Summary = "gives up the engine until the events named have come";
  let hasSideEffects = 1;
}
//   local_csr_rd[dst, csr]        63..58 = 25   dst   34..25 csr
def LOCAL_CSR_RD : MicroengineInstruction<25, (outs DST:$dst), (ins local_csr:$csr), "local_csr_rd[$dst, $csr]"> {
  bits<11> dst;
  bits<10> csr;
  let Inst{57-47} = dst;
  let Inst{34-25} = csr;
  let Fields = LocalCSRFormat;
  let Semantics = "local_csr_rd";
  let Group = "Miscellaneous";
  let Summary = "dst = a register of the engine";
  let hasSideEffects = 1;
}
def NOP : MicroengineInstruction<0, (outs), (ins), "nop"> {
  let Semantics = "nop";
  let Group = "Miscellaneous";
  let Summary = "does nothing for a cycle";
}
