// What C gains on the engine besides intrinsics: inline assembly, variables shared by the threads,
// C's atomics.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

TEST_CASE(
    "inline assembly takes operands in the banks it names and gives results, at every level") {
  const std::string source = R"(
#include <microengine.h>
static u32 rotate_and_add(u32 value, u32 other) {
  u32 result;
  __asm__("alu_shf[%0, --, B, %1, <<rot8]\n\talu[%0, %2, +, %0]" : "=&b"(result) : "r"(value), "a"(other));
  return result;
}
int main(void) {
  u32 first = rotate_and_add(0x12345678 + ctx(), 1), second = rotate_and_add(first, 0x100 + ctx());
  return first == 0x34567813 && second == 0x56781434 ? 1 : 0;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "asm.c", options_at(level)).return_value == 1);
}

TEST_CASE("inline assembly moves data through transfer registers that its constraints name") {
  const std::string source = R"(
#include <microengine.h>
static void put(__sram u32 *address, u32 value) {
  __asm__ volatile("sram[write, %0, %1, 0, 1], ctx_swap" : : "S"(value), "r"(address) : "memory");
}
static u32 get(__sram u32 *address) {
  u32 value;
  __asm__ volatile("sram[read, %0, %1, 0, 1], ctx_swap" : "=s"(value) : "r"(address) : "memory");
  return value;
}
int main(void) {
  __sram u32 *place = (__sram u32 *)0x200000;
  put(place, 77);
  put(place + 1, 5);
  return get(place) + get(place + 1);
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "transfer.c", options_at(level)).return_value == 82);
}

TEST_CASE("inline assembly keeps values out of the registers it clobbers") {
  const std::string source = R"(
#include <microengine.h>
int main(void) {
  u32 a = ctx() + 3, b = a * 5, c = b ^ 9;
  __asm__ volatile("immed[a0, 0]\n\timmed[b0, 0]\n\timmed[a1, 0]\n\timmed[b1, 0]" : : : "a0", "b0", "a1", "b1");
  return a + b + c;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "clobber.c", options_at(level)).return_value == 3 + 15 + 6);
}

TEST_CASE("words of inline assembly count in the report") {
  Diagnostics diagnostics;
  compiler::CompileReport report;
  const auto image = compiler::compile(
      "int main(void) {\n  __asm__ volatile(\"nop\\n\\tnop ; two\\n\\tnop\");\n  return 0;\n}",
      "test.c", options_at(Optimization::kO2), diagnostics, &report);
  REQUIRE(image);
  CHECK(report.words == image->words.size());
}

TEST_CASE("a __shared variable is one for all threads of the engine") {
  const std::string source = R"(
#include <microengine.h>
__shared u32 sum;
__shared u8 arrived;
__shared u64 wide;
__shared u32 parts[2];
int main(void) {
  sum += 10 + ctx();
  parts[1] += 2;
  wide += 0x100000001;
  arrived++;
  while (arrived != 4) ctx_swap();
  return sum == 46 && parts[0] == 0 && parts[1] == 8 && wide == 0x400000004 ? 1 : 0;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "shared.c", options_at(level), 4).return_value == 1);
}

TEST_CASE("__shared variables keep clear of those that are numbered") {
  const std::string source = R"(
#include <microengine.h>
__shared u32 named;
int main(void) {
  shared_write(5, 11);
  named = 22;
  return shared_read(5) + named;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "numbered.c", options_at(level)).return_value == 33);
}

TEST_CASE("C's atomics are the units' operations") {
  const std::string source = R"(
#include <stdatomic.h>
#include <microengine.h>
__sram _Atomic u32 flags;
__scratch _Atomic u32 count, done;
int main(void) {
  u32 mine = 1u << ctx();
  u32 before = atomic_fetch_or(&flags, mine);
  count++;
  flags &= ~0x100u;
  atomic_thread_fence(memory_order_seq_cst);
  done++;
  while (done != 4) ctx_swap();
  u32 taken = atomic_exchange(&count, 0);
  return (before & mine) == 0 && flags == 15 && (taken == 4 || taken == 0) && count == 0 ? 1 : 0;
}
)";
  for (const Optimization level : kLevels)
    CHECK(run(source, "atomic.c", options_at(level), 4).return_value == 1);
  const auto code = instructions_of(
      "#include <stdatomic.h>\n__scratch _Atomic u32 n;\n__sram _Atomic u32 m;\nint main(void) { "
      "n++; m |= 4; return n; }",
      Optimization::kO2);
  CHECK(count(code, "scratch[incr") == 1);
  CHECK(count(code, "set_bits]") == 1);
}

}  // namespace
}  // namespace nplab::test
