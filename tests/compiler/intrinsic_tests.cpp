// The intrinsics of microengine.h: which instruction each is, and what those that memory alone can
// show do.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

struct Selected {
  const char* statement;
  const char* instruction;
};

TEST_CASE("each intrinsic is its instruction, at every level") {
  const Selected table[] = {
      {"return ctx();", "local_csr_rd["},
      {"ctx_wait(start_receive); return 0;", "ctx_arb[start_receive]"},
      {"ctx_wait2(sram, sdram); return 0;", "ctx_arb[sram, sdram]"},
      {"ctx_swap_voluntary(); return 0;", "ctx_arb[voluntary]"},
      {"return csr_read(rcv_cntl);", "csr[read, $0, rcv_cntl], ctx_swap"},
      {"csr_write(rcv_req, 5); return 0;", "csr[write, $0, rcv_req], ctx_swap"},
      {"fast_wr_constant(xmit_validate, 5); return 0;", "fast_wr[5, xmit_validate]"},
      {"fast_wr(rcv_req, csr_read(rcv_cntl)); return 0;", "fast_wr[$0, rcv_req]"},
      {"u32x4 v = sram_read4((__sram u32 *)64); return v[0] + v[3];", ", 64, 4], ctx_swap"},
      {"u32x8 v = sram_read8((__sram u32 *)64); return v[0] + v[7];", ", 8], ctx_swap"},
      {"sram_write2((__sram u32 *)64, ctx(), 7); return 0;", ", 64, 2], ctx_swap"},
      {"u32x4 v = sdram_read2((__sdram u32 *)64); return v[0] + v[3];", ", 64, 2], ctx_swap"},
      {"sdram_write4((__sdram u32 *)64, 1, 2, 3, 4, 5, 6, 7, 8); return 0;", "64, 4], ctx_swap"},
      {"sdram_r_fifo_read(csr_read(rcv_cntl), 64, 8); return 0;",
       "sdram[r_fifo_rd, --, $0, 64, 8], ctx_swap"},
      {"sdram_r_fifo_read_start(csr_read(rcv_cntl), 64, 8); ctx_wait(sdram); return 0;",
       "sdram[r_fifo_rd, --, $0, 64, 8], sig_done"},
      {"sdram_t_fifo_write(64, csr_read(rcv_cntl), 3); return 0;",
       "sdram[t_fifo_wr, --, $0, 64, 3], ctx_swap"},
      {"t_fifo_write(1024 + 4 * ctx(), 7); return 0;", "t_fifo_wr[$0, "},
      {"return r_fifo_read(64);", ", 64, 1], ctx_swap"},
      {"return sram_pop(3);", "sram[pop, $0, --, --, 3], ctx_swap"},
      {"sram_push(2, csr_read(rcv_cntl)); return 0;", "sram[push, --, $0, 0, 2], ctx_swap"},
      {"return sram_test_and_set((__sram u32 *)64, 7);", ", 64, test_and_set_bits], ctx_swap"},
      {"return sram_compare_and_swap((__sram u32 *)64, 1, 2);",
       ", 64, compare_and_swap], ctx_swap"},
      {"scratch_clear_bits((__scratch u32 *)64, 7); return 0;", "64, clear_bits], ctx_swap"},
      {"scratch_incr((__scratch u32 *)64); return 0;", ", 64], ctx_swap"},
      {"return sram_read_lock((__sram u32 *)64);", "sram[read_lock, $0"},
      {"sram_write_unlock((__sram u32 *)64, 1); return 0;", "sram[write_unlock, $0"},
      {"sram_unlock((__sram u32 *)64); return 0;", "sram[unlock, --"},
      {"return hash_48(1, 2)[1];", "hash1_48[$0], ctx_swap"},
      {"return find_bset(csr_read(rcv_rdy_lo));", "find_bset[$0, --]"},
      {"signal_thread(csr_read(rcv_cntl)); return 0;", "fast_wr[$0, inter_thd_sig]"},
      {"kill_thread();", "ctx_arb[kill]"},
      {"abort();", ".abort"},
      {"console_hex(csr_read(rcv_cntl)); return 0;", ".console_hex $0"},
      {"packet_drop(csr_read(rcv_cntl), 3); return 0;", ".packet_drop $0, 3"},
      {"packet_verdict(csr_read(rcv_cntl), csr_read(rcv_req)); return 0;", ".packet_verdict $"},
      {"poll_begin(); ctx_swap(); poll_end(); return 0;", ".poll_begin"},
  };
  for (const Selected& intrinsic : table)
    for (const Optimization level :
         {Optimization::kPublished, Optimization::kO2, Optimization::kO1}) {
      const auto code =
          instructions_of(std::string("int main(void) { ") + intrinsic.statement + " }", level);
      std::string text;
      for (const std::string& line : code)
        text += line + "\n";
      INFO(intrinsic.statement << " at " << static_cast<int>(level) << ":\n" << text);
      CHECK(count(code, intrinsic.instruction) == 1);
    }
}

TEST_CASE("polling an input state takes branches alone") {
  for (const Optimization level :
       {Optimization::kO1, Optimization::kO2, Optimization::kOs, Optimization::kPublished}) {
    const auto code = instructions_of(
        "int main(void) { while (!inp_state(rec_req_avail)) ctx_swap(); return 0; }", level);
    CHECK(count(code, "br_inp_state[rec_req_avail") >= 1);
    CHECK(count(code, "immed") == 1);  // main's result
    CHECK(count(code, "alu[") == 0);
  }
}

TEST_CASE("an annotation at the end of a block keeps an instruction of its own") {
  const auto code = instructions_of(
      "int main(void) { u32 v = csr_read(rcv_cntl); if (v & 1) console_hex(v); csr_write(rcv_req, "
      "1); return 0; }",
      Optimization::kPublished);
  for (std::size_t i = 0; i + 1 < code.size(); ++i)
    if (code[i].find(".console_hex") == 0)
      CHECK(code[i + 1].find('#') == std::string::npos);
}

TEST_CASE("test and set returns the old longword and sets the bits") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  __sram u32 *s = (__sram u32 *)0x400;
  __scratch u32 *c = (__scratch u32 *)0x400;
  *s = 0x10; *c = 0x77;
  u32 a = sram_test_and_set(s, 3), b = sram_test_and_clear(s, 0x11);
  u32 d = scratch_test_and_clear(c, 0x70);
  scratch_incr(c); scratch_set_bits(c, 0x100); sram_set_bits(s, 0x40); sram_clear_bits(s, 2);
  return a == 0x10 && b == 0x13 && d == 0x77 && *s == 0x40 && *c == 0x108 ? 1 : 0;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "bits.c", options_at(level)).return_value == 1);
}

TEST_CASE("a key and its hash have the more significant longword first") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  fast_wr(hash_multiplier_0, 1);
  fast_wr(hash_multiplier_2, 1);
  for (u32 i = 0; i < 50; i++) ctx_swap();
  u32x2 a = hash_48(0x1234, 0x56789abc), b = hash_64(0x12345678, 0x9abcdef0);
  return a[0] == 0x1234 && a[1] == 0x56789abc && b[0] == 0x12345678 && b[1] == 0x9abcdef0 ? 1 : 0;
}
)";
  // A key times 1 is itself.
  for (const Optimization level : kLevels)
    CHECK(run(source, "hash.c", options_at(level)).return_value == 1);
}

TEST_CASE("a key may be undefined") {
  const std::string source =
      "volatile int v;\nint main(void) { return (int)hash_48((u32)v << ~0, v != 0)[0]; }\n";
  for (const Optimization level : kLevels) {
    Diagnostics diagnostics;
    CHECK(compiler::compile("#include <microengine.h>\n" + source, "test.c", options_at(level),
                            diagnostics));
  }
}

TEST_CASE("references that answer where they asked leave a burst in its transfer registers") {
  const auto code = instructions_of(
      "int main(void) { __sram u32 *p = (__sram u32 *)csr_read(thread_done); u32x2 v = "
      "sram_read2(p);"
      "  u32 old = sram_test_and_set(p + v[1], 3); return v[0] + old; }",
      Optimization::kO2);
  std::string text;
  for (const std::string& line : code)
    text += line + "\n";
  INFO(text);
  // The answer's move; the burst's longwords have none.
  CHECK(count(code, "--, B, $0]") + count(code, "--, B, $1]") + count(code, "--, B, $2]") == 1);
}

TEST_CASE("the same key hashed twice and masks in a loop keep their values") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  fast_wr(hash_multiplier_0, 1);
  for (u32 i = 0; i < 50; i++) ctx_swap();
  __sram u32 *s = (__sram u32 *)0x400;
  *s = 0;
  u32 seen = 0, x = ctx() + 5;
  for (u32 i = 0; i < 4; i++) seen += sram_test_and_set(s, 1u << i);
  u32x2 a = hash_48(x, x), b = hash_48(x, x);
  return seen * 1000 + a[0] + a[1] + b[0] + b[1];
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "twice.c", options_at(level)).return_value == (0 + 1 + 3 + 7) * 1000 + 20);
}

TEST_CASE("bursts move their longwords in order") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  __sram u32 *s = (__sram u32 *)0x400;
  __sdram u32 *d = (__sdram u32 *)0x800;
  u32 x = ctx() + 1;
  sram_write8(s, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7);
  u32x8 v = sram_read8(s);
  sdram_write2(d, v[7], v[5], v[3], v[1]);
  u32x4 w = sdram_read2(d);
  return w[0] * 1000 + w[1] * 100 + w[2] * 10 + w[3];
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "bursts.c", options_at(level)).return_value == 8642);
}

TEST_CASE("bytes and quadwords of a burst are found in its longwords") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  __sdram u32 *d = (__sdram u32 *)0x800;
  u32 x = ctx();
  sdram_write2(d, x + 0x01020304, x + 0x05060708, x + 0x090a0b0c, x + 0x0d0e0f10);
  u32x4 v = sdram_read2(d);
  u8 a = v[0] >> 24, b = v[1] >> 8, c = v[3];
  u16 e = v[2] >> 16, f = v[3];
  return (a == 1) + (b == 7) * 2 + (c == 0x10) * 4 + (e == 0x090a) * 8 + (f == 0x0f10) * 16;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "parts.c", options_at(level)).return_value == 31);
}

TEST_CASE("shared variables are one register for all threads of the engine") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  shared_write(1, shared_read(1) + 1);
  shared_write(6, shared_read(6) + ctx());
  if (ctx() != 0) return 0;
  while (shared_read(1) != 4) ctx_swap();
  return shared_read(6) * 10 + shared_read(1);
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "shared.c", options_at(level), 4).return_value == 64);
}

TEST_CASE("annotations reach the console in order") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  for (u32 i = 0; i < 3; i++) console_hex(i * 16);
  console_char('o'); console_char('k');
  return 0;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "console.c", options_at(level)).console ==
          "0x00000000\n0x00000010\n0x00000020\nok");
}

}  // namespace
}  // namespace nplab::test
