// Loops that read arrays: several rounds' elements in one burst, never beyond what C reads; and
// counters that count down.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

const std::string kChecksum = R"(
static u32 checksum(const __sram u32 *p, u32 n) {
  u32 sum = 0;
  for (; n; n--) { u32 word = *p++; sum += (word >> 16) + (word & 0xffff); }
  return sum;
}
int main(void) { return checksum((__sram u32 *)csr_read(thread_done), csr_read(rcv_cntl)); }
)";

TEST_CASE("a loop that adds up longwords reads eight of them in one reference, at -O2 alone") {
  CHECK(count(instructions_of(kChecksum, Optimization::kO2), "sram[read, $0, ") == 2);
  CHECK(count(instructions_of(kChecksum, Optimization::kO2), ", 8], ctx_swap") == 1);
  for (const Optimization level : {Optimization::kOs, Optimization::kO1, Optimization::kPublished})
    CHECK(count(instructions_of(kChecksum, level), ", 8], ctx_swap") == 0);
}

unsigned bursts_in(const std::string& loop) {
  const auto code = instructions_of(
      "int main(void) { u32 base = csr_read(thread_done), n = csr_read(rcv_cntl), sum = 0;"
      " __sram u32 *p = (__sram u32 *)base; __sdram u32 *half = (__sdram u32 *)(base & ~7);"
      " __sdram u64 *q = (__sdram u64 *)half; __scratch u32 *s = (__scratch u32 *)base; " +
          loop + " return sum; }",
      Optimization::kO2);
  unsigned bursts = 0;
  for (const std::string& instruction : code) {
    const bool is_sdram = instruction.find("sdram[read") != std::string::npos;
    bursts += instruction.find("[read") != std::string::npos &&
              instruction.find(is_sdram ? ", 4], ctx_swap" : ", 8], ctx_swap") != std::string::npos;
  }
  return bursts;
}

TEST_CASE("a loop reads in bursts where nothing changes what is read and every round happens") {
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) sum ^= p[i];") == 1);
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) { sum ^= p[i]; s[i] = sum; }") == 1);
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) sum ^= (u32)(q[i] >> 20);") == 1);
  INFO("what may change, or be changed, and what may end the loop");
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) { sum ^= p[i]; p[i + 1] = sum; }") == 0);
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) sum ^= ((volatile __sram u32 *)p)[i];") == 0);
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) { sum ^= p[i]; ctx_swap_voluntary(); }") == 0);
  CHECK(bursts_in("for (u32 i = 0; i < n && sum != 7; i++) sum += p[i] ^ 5;") == 0);
  INFO("where a burst would read what C does not, or start within a quadword");
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) sum ^= p[2 * i];") == 0);
  CHECK(bursts_in("for (u32 i = 0; i < n; i++) sum ^= half[i + 1];") == 0);
}

TEST_CASE("a known number of rounds is divided without a rest where it can be") {
  const auto sum_of = [](unsigned rounds) {
    return instructions_of(
        fmt::format("int main(void) {{ __sram u32 *p = (__sram u32 *)csr_read(thread_done); u32 "
                    "sum = 0; for (u32 i = 0; i < {}; i++) sum = (sum << 1) ^ p[i]; return sum; }}",
                    rounds),
        Optimization::kO2);
  };
  INFO("six rounds: one burst and no loop; 21: three bursts of seven; 11: one of eight, and three");
  CHECK(count(sum_of(6), ", 6], ctx_swap") == 1);
  CHECK(count(sum_of(6), "br") == 0);
  CHECK(count(sum_of(21), ", 7], ctx_swap") == 1);
  CHECK(count(sum_of(21), "sram[read") == 1);
  CHECK(count(sum_of(11), ", 8], ctx_swap") == 1);
  CHECK(count(sum_of(11), "sram[read") == 2);
}

// Loops over n elements in the arrays p, q (u64), r (structures of three) and their scratch and
// SDRAM counterparts; what they leave behind counts, too.
constexpr const char* kLoops[] = {
    "for (u32 i = 0; i < n; i++) sum = sum * 3 + p[i];",
    "for (u32 i = n; i; i--) sum = sum * 3 + *p++; sum += (u32)p;",
    "u32 i = 5; do { sum = sum * 3 + p[i]; i++; } while (i <= n + 4); sum += i;",
    "for (u32 i = 0; i < n; i++) sum = (sum << 1 | sum >> 31) ^ (u32)(q[i] >> 7) * 5;",
    "u64 all = 0; for (u32 i = 0; i < n; i++) all = all * 3 + q[i]; sum = all ^ all >> 32;",
    "for (u32 i = 0; i < n; i++) sum = sum * 3 + (r[i].a ^ r[i].b << 1) + r[i].c;",
    "for (u32 i = 0; i < n; i++) sum = sum * 3 + p[i] * other[i];",
    "u32 last = 0; for (u32 i = 0; i < n; i++) { sum += last ^ i; last = p[i]; } sum ^= last;",
    "u8 count = 250; s16 step = 7; for (u32 i = 0; i < n; i++) { sum = sum * 3 + p[i] + count++; "
    "step -= 3; sum ^= (u32)step; } sum += count + (u32)step;",
    "for (u32 i = 0; i < n; i++) { sum = sum * 3 + p[i]; away[i] = sum; } "
    "for (u32 i = 0; i < n; i++) sum ^= away[i] << (i & 7);",
    "u32 most = 0; for (u32 i = 0; i < n; i++) if (p[i] > most) most = p[i], sum = i; sum += most;",
    "for (u32 i = 0; i < n; i += 2) sum = sum * 3 + p[i >> 1];",
};

std::string program_of(const char* memory, const char* loop, const std::string& rounds) {
  return fmt::format(R"(
struct three {{ u32 a, b, c; }};
__{0} u64 data[64];
__sram u32 away[64];
static u32 sum_of(u32 n) {{
  __{0} u32 *p = (__{0} u32 *)data, *other = (__{0} u32 *)(data + 20);
  __{0} u64 *q = data;
  __{0} struct three *r = (__{0} struct three *)data;
  u32 sum = 1;
  {1}
  return sum;
}}
int main(void) {{
  for (u32 i = 0; i < 64; i++) data[i] = (i + 1) * 0x9e3779b97f4a7c15;
  u32 all = 0;
  {2}
  return all;
}}
)",
                     memory, loop, rounds);
}

std::uint32_t value_of(const std::string& source, Optimization level) {
  const simulator::ExecResult result =
      run("#include <microengine.h>\n" + source, "test.c", options_at(level));
  INFO(source);
  CHECK_FALSE(result.fault);
  REQUIRE(result.ended);
  return result.return_value;
}

void check_equal_to_published(const std::string& source) {
  const std::uint32_t expected = value_of(source, Optimization::kPublished);
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    CHECK(value_of(source, level) == expected);
}

TEST_CASE("loops over arrays of every length give what they give without bursts") {
  for (const char* loop : kLoops)
    for (const char* memory : {"sram", "scratch", "sdram"})
      check_equal_to_published(
          program_of(memory, loop, "for (u32 n = 1; n < 20; n++) all = all * 31 + sum_of(n);"));
}

TEST_CASE("loops over arrays of known length give what they give without bursts") {
  std::string rounds;
  for (const unsigned n : {1u, 5u, 7u, 8u, 11u, 12u, 16u, 19u})
    rounds += fmt::format("all = all * 31 + sum_of({});", n);
  for (const char* loop : kLoops)
    check_equal_to_published(program_of("sram", loop, rounds));
}

// A reference outside its memory would be a fault.
TEST_CASE("no burst reads beyond the end of an array, which may be that of its memory") {
  for (const auto& [memory, end] : {std::pair("sram", 0x4000000u), std::pair("scratch", 0x10000u)})
    CHECK(value_of(fmt::format("int main(void) {{ u32 sum = 0; for (u32 n = 1; n < 20; n++) {{ "
                               "__{0} u32 *p = (__{0} u32 *)({1} - 4 * n); "
                               "for (u32 i = n; i; i--) sum += *p++; }} return sum; }}",
                               memory, end),
                   Optimization::kO2) == 0);
}

TEST_CASE("a counter that only counts rounds counts down, without a comparison") {
  const std::string source =
      "int main(void) { u32 crc = csr_read(thread_done);"
      " for (u32 i = 0; i < 32; i++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;"
      " return crc; }";
  for (const Optimization level : {Optimization::kO2, Optimization::kOs})
    CHECK(count(instructions_of(source, level), "alu[--") == 0);
  CHECK(count(instructions_of(source, Optimization::kPublished), "alu[--") > 0);
}

TEST_CASE("loops go round as often as C says, whatever their counter is") {
  const char* loop = GENERATE(
      "for (u32 i = 0; i < n; i++) sum = sum * 3 + 1;", "for (s32 i = n; i >= 0; i--) sum += 5;",
      "for (u32 i = 3; i < n; i += 2) sum = sum * 3 + 1;", "for (u8 i = n; i != 9; i++) sum += 3;",
      "for (s32 i = -4; i <= (s32)n; i++) sum = sum * 5 + 2;",
      "for (u32 i = n; i > 2; i -= 3) sum = sum * 3 + 1;", "for (u16 i = 0; i != n; i++) sum ^= 9;",
      "u32 i = 0; do sum = sum * 3 + n; while (++i < n);",
      "for (u32 i = 0; i < n; i++) for (u32 j = i; j < n; j++) sum = sum * 3 + 1;",
      "for (u32 i = 100; i > n; i--) sum = sum * 3 + 1;");
  check_equal_to_published(
      program_of("sram", loop, "for (u32 n = 0; n < 20; n++) all = all * 31 + sum_of(n);"));
}

}  // namespace
}  // namespace nplab::test
