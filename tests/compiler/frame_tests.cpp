// Values beyond the registers live in the thread's frame, in scratch or SRAM; no thread's frame reaches into another's.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

constexpr unsigned kValues = 44;  // more than 32 registers and 16 transfer registers hold
constexpr unsigned kThreads = 4;

// Each thread holds kValues longwords at once, which it read where only it writes, while the others do the same. The value
// of thread v's longword i is 1000 v + 7 i + 3; thread 0 returns the number of threads whose weighted sum is right.
std::string program_of_many_values() {
  std::string source = R"(
#include <microengine.h>
#define GOOD ((volatile __sram u32 *)0x200800)
static __sram u32 *mine(void) { return (__sram u32 *)(0x200000 + 0x200 * ctx()); }
int main(void) {
  volatile __sram u32 *place = mine();
)";
  const auto text = [](unsigned number) { return std::to_string(number); };
  for (unsigned i = 0; i != kValues; ++i) source += "  place[" + text(i) + "] = 1000 * ctx() + " + text(7 * i + 3) + ";\n";
  for (unsigned i = 0; i != kValues; ++i) source += "  u32 v" + text(i) + " = place[" + text(i) + "];\n";
  source += "  ctx_swap();\n  u32 sum = 0, wanted = 0;\n";
  for (unsigned i = 0; i != kValues; ++i) {
    source += "  sum = (sum << 1 | sum >> 31) ^ v" + text(kValues - 1 - i) + ";\n";
    source += "  place[60] = sum;\n";
  }
  source += "  for (u32 i = 0; i < " + text(kValues) +
            "; i++) wanted = (wanted << 1 | wanted >> 31) ^ (1000 * ctx() + 7 * (" + text(kValues - 1) +
            " - i) + 3);\n  GOOD[ctx()] = sum == wanted ? 1 : 2;\n"
            "  while (!GOOD[0] || !GOOD[1] || !GOOD[2] || !GOOD[3]) ctx_swap();\n"
            "  return (GOOD[0] == 1) + (GOOD[1] == 1) + (GOOD[2] == 1) + (GOOD[3] == 1);\n}\n";
  return source;
}

TEST_CASE("values that do not fit in registers survive in the frames of four threads, in either memory") {
  const std::string source = program_of_many_values();
  for (const isa::MemorySpace space : {isa::MemorySpace::kScratch, isa::MemorySpace::kSram}) {
    for (const Optimization level : kLevels) {
      auto options = options_at(level);
      options.frame = {space, 0x400, 0x400};
      Diagnostics diagnostics;
      compiler::CompileReport report;
      INFO("level " << static_cast<int>(level) << " memory " << static_cast<int>(space));
      REQUIRE(compiler::compile(source, "many.c", options, diagnostics, &report));
      std::uint32_t spills = 0;
      for (const auto& function : report.functions) spills += function.spills;
      if (level != Optimization::kO0) CHECK(spills > 0);  // -O0 keeps variables in the frame anyway
      CHECK(report.frame_bytes > 0);
      CHECK(run(source, "many.c", options, kThreads).return_value == kThreads);
    }
  }
}

TEST_CASE("arrays of each thread keep what the thread put there") {
  const std::string source = R"(
#include <microengine.h>
#define GOOD ((volatile __sram u32 *)0x200800)
int main(void) {
  volatile u32 array[20];
  for (u32 i = 0; i < 20; i++) array[i] = ctx() * 100 + i;
  ctx_swap();
  u32 sum = 0;
  for (u32 i = 0; i < 20; i++) sum += array[i];
  GOOD[ctx()] = sum == 2000 * ctx() + 190 ? 1 : 2;
  while (!GOOD[0] || !GOOD[1] || !GOOD[2] || !GOOD[3]) ctx_swap();
  return (GOOD[0] == 1) + (GOOD[1] == 1) + (GOOD[2] == 1) + (GOOD[3] == 1);
}
)";
  for (const isa::MemorySpace space : {isa::MemorySpace::kScratch, isa::MemorySpace::kSram})
    for (const Optimization level : kLevels) {
      auto options = options_at(level);
      options.frame = {space, 0x400, 0x400};
      CHECK(run(source, "arrays.c", options, kThreads).return_value == kThreads);
    }
}

}  // namespace
}  // namespace nplab::test
