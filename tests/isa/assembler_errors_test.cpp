#include "assembled.h"

using nplab::isa::testing::refused;

namespace {

struct BadLine {
  const char* text;
  int column;
  const char* message;
};

}  // namespace

TEST_CASE("A message that quotes text of several lines is one line", "[isa]") {
  const std::string message = refused("br=0[1], defer[1'\nimmed[a0, 1]'\n");
  CHECK(message.find("test.s:1:") != std::string::npos);
  CHECK(message.find("\\n") != std::string::npos);
  CHECK(message.find('\n', message.find("\\n")) >= message.size() - 1);
}

TEST_CASE("Each assembler error names its column and what would be right", "[isa]") {
  const BadLine line = GENERATE(values<BadLine>({
      {"alu[a0, a1, +, a2]", 16,
       "both sources are in bank A: a1 and a2; one must be in bank B or a transfer register"},
      {"sram[read, $0, b1, @b3, 1]", 20,
       "both sources are in bank B: b1 and @b3; one must be in bank A or a transfer register"},
      {"alu[a0, a1, +, 40]", 16, "`40` does not fit here: expected "},
      {"alu[a0, a1, +, 40]", 16, "0 to 31"},
      {"alu[a0, a1, plus, b2]", 13, "`plus` does not fit here: expected "},
      {"alu[a16, a1, +, b2]", 5, "`a16` does not fit here: expected "},
      {"alu[a0, a1, +]", 1, "alu takes 4 operands, here are 3"},
      {"immed[a0, 65536]", 11, "expected 0 to 65535, %lo(symbol) or %hi(symbol)"},
      {"immed_b0[a0, 256]", 14, "expected 0 to 255"},
      {"immed_b0[$0, 25]", 10, "expected a general-purpose register of the context"},
      {"sram[read, $0, a0, 128, 1]", 20, "0 to 127"},
      {"sram[read, $6, a0, 0, 4]", 12, "a burst of 4 registers from $6 runs past $7"},
      {"sdram[write, $$4, a0, 0, 3]", 14, "a burst of 6 registers from $$4 runs past $$7"},
      {"sram[read, $$0, a0, 0, 1]", 12, "expected an SRAM transfer register ($0-$7)"},
      {"sram[reed, $0, a0, 0, 1]", 6, "`reed` does not fit here"},
      {"br[loop]", 4, "a label, which ends in #"},
      {"br[1], defer[2]", 8, "`defer[2]`: br takes defer[1]"},
      {"br=0[1], defer[3]", 10, "`defer[3]`: br=0 takes defer[1] to defer[2]"},
      {"br=ctx[1, 1], defer[3]", 15, "`defer[3]`: br=ctx takes defer[1] to defer[2]"},
      {"br_bset[a0, 1, 1], defer[4]", 20, "`defer[4]`: br_bset takes defer[1] to defer[3]"},
      {"ctx_arb[sram], defer[2]", 16, "`defer[2]`: ctx_arb takes defer[1]"},
      {"sram[read, $0, a0, 0, 1], ctx_swap, defer[2]", 37, "`defer[2]`: sram takes defer[1]"},
      {"sram[read, $0, a0, 0, 1], sig_done, defer[1]", 37,
       "a reference takes defer only together with ctx_swap"},
      {"sram[read, $0, a0, 0, 1], sig_done, ctx_swap", 1,
       "ctx_swap and sig_done exclude each other"},
      {"sram[read, $0, a0, 0, 1], ctx_swap, ctx_swap", 37, "`ctx_swap` is given twice"},
      {"sram[read, $0, a0, 0, 1], ctxswap", 27,
       "unknown token `ctxswap`; did you mean 'ctx_swap'?"},
      {"br[1], guess_branch", 8, "`guess_branch` is not a token of br, which takes defer[n]"},
      {"alu[a0, a1, +, b2], ctx_swap", 21,
       "`ctx_swap` is not a token of alu, which takes no tokens"},
      {"fast_wr[1, thread_done], ctx_swap", 26,
       "`ctx_swap` is not a token of fast_wr, which takes indirect_ref"},
      {"dbl_shf[a0, a1, b1, <<3]", 21, "expected >>n (n is 1 to 31)"},
      {"alu_shf[a0, a1, OR, b1, <<32]", 25, "`<<32` does not fit here"},
      {"csr[read, $0, rcv_red]", 15, "expected one of rcv_rdy_lo, "},
      {"ctx_arb[sram, dram]", 15, "unknown event `dram`; did you mean 'sram' or 'sdram'?"},
      {"allu[a0, a1, +, b2]", 1, "unknown instruction `allu`; did you mean 'alu'?"},
      {"alu[a0, a1, +, b2", 4, "this [ has no closing ]"},
      {"nop nop", 1, "unknown instruction `nop nop`"},
      {"alu[a0, a1, +, b2] ctx_swap", 20, "expected a comma before the tokens"},
      {".console_hex a99", 14, "`a99` does not fit here: expected a register or 0 to 255"},
      {".packet_drop a0", 1, ".packet_drop takes 2 operands, here are 1"},
      {".poll_begin\nlater#: nop", 0, "no label may come between"},
      {".poll_begin", 1, "an annotation marks the next instruction, but none follows"},
      {"x#: nop\nx#: nop", 0, "label `x#` is defined twice"},
  }));
  const std::string errors = refused(line.text);
  INFO(line.text << " gave:\n" << errors);
  CHECK(errors.find(line.message) != std::string::npos);
  if (line.column != 0)
    CHECK(errors.find("test.s:1:" + std::to_string(line.column) + ": error: ") == 0);
}

TEST_CASE("An undefined symbol is refused at its first use, with the nearest name that is defined",
          "[isa]") {
  const std::string text =
      "start#:\n  immed[a0, %lo( nothing + 4)]\n  immed_w1[a0, %hi(nothing)]\n"
      "  immed[b0, %lo(here)]\n  br[nowhere#]\n  br[strat#]\n.section .sram,\"aw\",@progbits\n"
      "here#:\n.long later - 8\n";
  const std::string remedy = ": a label or .set of this file must define it\n";
  CHECK(refused(text) ==
        "test.s:2:18: error: undefined symbol `nothing`" + remedy +
            "test.s:5:6: error: undefined symbol `nowhere`" + remedy +
            "test.s:6:6: error: undefined symbol `strat`; did you mean 'start'?\n" +
            "test.s:9:7: error: undefined symbol `later`" + remedy);
}

TEST_CASE("All errors of a text are reported at once, in order", "[isa]") {
  const std::string errors =
      refused("alu[a0, a1, +, a2]\n  nop\n  bogus[1]\n.unknown_directive 3\n\tbr[1], defer[2]\n");
  INFO(errors);
  CHECK(errors.find("test.s:1:16: error: both sources") == 0);
  CHECK(errors.find("test.s:3:3: error: unknown instruction `bogus`") != std::string::npos);
  CHECK(errors.find("test.s:4:1: error: ") != std::string::npos);
  CHECK(errors.find("test.s:5:9: error: ") != std::string::npos);
}
