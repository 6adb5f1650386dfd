// Values beyond the registers live in the thread's frame, in any memory; no thread's frame reaches
// into another's.
#include <bit>

#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

constexpr unsigned kValues = 44;  // more than 32 registers and 16 transfer registers hold
constexpr unsigned kThreads = 4;
constexpr isa::MemorySpace kSpaces[] = {isa::MemorySpace::kScratch, isa::MemorySpace::kSram,
                                        isa::MemorySpace::kSdram};

// Where the values come from: memories whose data passes different transfer registers.
struct Source {
  const char* qualifier;
  std::uint32_t base;
};
constexpr Source kSources[] = {{"__sram", 0x200000}, {"__sdram", 0x200000}, {"__scratch", 0x4000}};

// Each thread holds kValues longwords at once, which it read where only it writes, while the others
// do the same. The value of thread v's longword i is 1000 v + 7 i + 3; thread 0 returns the number
// of threads whose weighted sum is right.
std::string program_of_many_values(const Source& from) {
  const auto text = [](unsigned number) { return std::to_string(number); };
  const std::string pointer = std::string(from.qualifier) + " u32 *";
  std::string source = R"(
#include <microengine.h>
#define GOOD ((volatile __sram u32 *)0x300800)
static )" + pointer + "mine(void) { return (" +
                       pointer + ")(" + text(from.base) + R"( + 0x200 * ctx()); }
int main(void) {
  volatile )" + pointer +
                       "place = mine();\n";
  for (unsigned i = 0; i != kValues; ++i)
    source += "  place[" + text(i) + "] = 1000 * ctx() + " + text(7 * i + 3) + ";\n";
  for (unsigned i = 0; i != kValues; ++i)
    source += "  u32 v" + text(i) + " = place[" + text(i) + "];\n";
  source += "  ctx_swap();\n  u32 sum = 0, wanted = 0;\n";
  for (unsigned i = 0; i != kValues; ++i) {
    source += "  sum = (sum << 1 | sum >> 31) ^ v" + text(kValues - 1 - i) + ";\n";
    source += "  place[60] = sum;\n";
  }
  source += "  for (u32 i = 0; i < " + text(kValues) +
            "; i++) wanted = (wanted << 1 | wanted >> 31) ^ (1000 * ctx() + 7 * (" +
            text(kValues - 1) +
            " - i) + 3);\n  GOOD[ctx()] = sum == wanted ? 1 : 2;\n"
            "  while (!GOOD[0] || !GOOD[1] || !GOOD[2] || !GOOD[3]) ctx_swap();\n"
            "  return (GOOD[0] == 1) + (GOOD[1] == 1) + (GOOD[2] == 1) + (GOOD[3] == 1);\n}\n";
  return source;
}

TEST_CASE(
    "values of any memory that do not fit in registers survive in the frames of four threads, in "
    "any memory") {
  for (const Source& from : kSources)
    for (const isa::MemorySpace space : kSpaces) {
      const std::string source = program_of_many_values(from);
      for (const Optimization level : kLevels) {
        auto options = options_at(level);
        options.frame = {space, 0x400,
                         space == isa::MemorySpace::kSdram ? 0x800u : 0x400u};  // of quadwords
        Diagnostics diagnostics;
        compiler::CompileReport report;
        INFO("level " << static_cast<int>(level) << " memory " << static_cast<int>(space)
                      << " from " << from.qualifier);
        const auto image = compiler::compile(source, "many.c", options, diagnostics, &report);
        INFO(diagnostics.to_string());
        REQUIRE(image);
        std::uint32_t spills = 0;
        for (const auto& function : report.functions)
          spills += function.spills;
        if (level != Optimization::kO0)
          CHECK(spills > 0);  // -O0 keeps variables in the frame anyway
        CHECK(report.frame_bytes > 0);
        CHECK(run_image(*image, kThreads).return_value == kThreads);
      }
    }
}

// A program of which only thread THREAD holds more than its registers do, beside an array.
std::string program_of_one_thread() {
  std::string source =
      "#include <microengine.h>\nint main(void) {\n  if (ctx() != THREAD) return 0;\n"
      "  volatile u32 array[9];\n  for (u32 i = 0; i < 9; i++) array[i] = i;\n"
      "  volatile __sram u32 *place = (volatile __sram u32 *)0x300000;\n  u32 sum = 0;\n";
  for (unsigned i = 0; i != kValues; ++i)
    source += "  u32 v" + std::to_string(i) + " = place[" + std::to_string(i) + "];\n";
  for (unsigned i = kValues; i != 0; --i)
    source += "  sum = sum * 3 + v" + std::to_string(i - 1) + ";\n  place[60] = sum;\n";
  return source + "  return sum + array[sum & 7];\n}\n";
}

TEST_CASE("a thread writes to its own frame and nowhere else near it") {
  constexpr std::uint32_t kAround = 0x200, kUntouched = 0xa5a5a5a5;
  for (const isa::MemorySpace space : kSpaces)
    for (const Optimization level : kLevels)
      for (unsigned thread = 0; thread != kThreads; ++thread) {
        const std::uint32_t base =
            space == isa::MemorySpace::kSdram ? 0x408 : 0x404;  // aligned to nothing more
        auto options = options_at(level);
        options.frame = {space, base, 0x400};
        options.defines = {"THREAD=" + std::to_string(thread)};
        Diagnostics diagnostics;
        compiler::CompileReport report;
        const auto image =
            compiler::compile(program_of_one_thread(), "one.c", options, diagnostics, &report);
        INFO("level " << static_cast<int>(level) << " memory " << static_cast<int>(space)
                      << " thread " << thread << diagnostics.to_string());
        REQUIRE(image);
        const std::uint32_t stride = std::bit_ceil(report.frame_bytes), first = base - kAround;
        const std::uint32_t longwords = (2 * kAround + kThreads * stride) / 4;
        simulator::ExecInputs inputs;
        inputs.chip = test_chip();
        inputs.image = *image;
        inputs.threads = kThreads;
        for (std::uint32_t i = 0; i != longwords; ++i)
          inputs.memory.push_back({space, first + 4 * i, kUntouched});
        inputs.memory_wanted = {{space, first, longwords}};
        const simulator::ExecResult result = simulator::exec(inputs);
        REQUIRE(result.ended);
        std::uint32_t of_thread = 0, of_others = 0, of_nobody = 0;
        for (std::uint32_t i = 0; i != longwords; ++i) {
          if (result.memory[0][i] == kUntouched)
            continue;
          const std::uint32_t into = 4 * i - kAround, owner = into / stride;
          const bool is_frame =
              4 * i >= kAround && owner < kThreads && into % stride < report.frame_bytes;
          ++(!is_frame ? of_nobody : owner == thread ? of_thread : of_others);
        }
        CHECK(of_thread > 9);
        CHECK(of_nobody == 0);
        CHECK(of_others == (level == Optimization::kO0
                                ? kThreads - 1
                                : 0));  // -O0: main's result, in each its own
      }
}

// A local of main and one of a called function, each compared with NULL after its address was kept
// in memory.
constexpr char kKeptPointers[] = R"(
#include <microengine.h>
__attribute__((noinline)) static u32 first(u32 value) {
  u32 local = value;
  u32 *volatile kept = &local;
  return kept ? *kept : 1000;
}
int main(void) {
  u32 local = first(ctx() + 2);
  u32 *volatile kept = &local;
  return kept ? *kept + (ctx() == 0) : 2000;
}
)";

TEST_CASE("no local is at address 0, which is a null pointer, even if the frames begin there") {
  for (const isa::MemorySpace space : kSpaces)
    for (const Optimization level : kLevels) {
      auto options = options_at(level);
      options.frame = {space, 0, 0x400};
      INFO("level " << static_cast<int>(level) << " memory " << static_cast<int>(space));
      CHECK(run(kKeptPointers, "kept.c", options).return_value == 3);
    }
}

TEST_CASE("frames that begin at address 0 may be as large as their area") {
  const std::string source =
      "int main(void) { volatile unsigned a[N]; a[0] = 1; return a[a[0] - 1] - 1; }";
  const auto refused = [&](const char* longwords) {
    auto options = options_at(Optimization::kO2);
    options.frame = {isa::MemorySpace::kScratch, 0, 0x100};
    options.defines = {std::string("N=") + longwords};
    Diagnostics diagnostics;
    return !compiler::compile(source, "large.c", options, diagnostics);
  };
  CHECK_FALSE(refused("62"));  // two longwords stay free for the null pointer
  CHECK(refused("63"));
}

TEST_CASE("locals have the alignment of their types, wherever the frames begin") {
  const std::string source = R"(
#include <microengine.h>
typedef u32 four __attribute__((vector_size(16)));
__attribute__((noinline)) static u32 low(u32 i) {
  volatile u32 local[2];
  local[0] = local[1] = i;
  return local[i & 1] - i;
}
int main(void) {
  four many[2];
  volatile u32 one __attribute__((aligned(64))) = 3;
  volatile u32 *place = (volatile u32 *)many;
  place[5 + low(ctx())] = 4;
  return ((u32)many & 15) + ((u32)&one & 63) + place[5] + one - 7;
}
)";
  for (const isa::MemorySpace space : kSpaces)
    for (const std::uint32_t base : {0u, 8u, 0x418u})
      for (const Optimization level : kLevels) {
        auto options = options_at(level);
        options.frame = {space, base, 0x400};
        INFO("level " << static_cast<int>(level) << " memory " << static_cast<int>(space)
                      << " base " << base);
        CHECK(run(source, "aligned.c", options, kThreads).return_value == 0);
      }
}

// Returns 0 if `many[1][3]` alone was changed.
TEST_CASE("a place in a local that is computed by OR is where the local's other uses have it") {
  const std::string source = R"(
#include <microengine.h>
typedef u32 four __attribute__((vector_size(16)));
__attribute__((noinline)) static u32 below(u32 i) { volatile u32 local[1]; u32 *p = (u32*)&local[0]; local[0] = i; return *(volatile u32*)p + local[i & 0]; }
__attribute__((noinline)) static void set(u32 *p, u32 v) { *(volatile u32*)p = v; }
int main(void) {
  volatile u32 zero = 0;
  four many[4];
  u32 n = below(zero);
  for (u32 i = 0; i < 4; i++) { u32 *p = (u32 *)&many[i + n];  for (u32 j = 0; j < 4; j++) ((volatile u32*)p)[j] = 16 * i + j; }
  u32 *p = (u32 *)&many[n + 1] + 3;
  set(p, 5);
  u32 sum = 0;
  for (u32 i = 0; i < 4; i++) for (u32 j = 0; j < 4; j++) sum = sum * 7 + ((volatile u32 *)&many[i])[j];
  u32 want = 0;
  for (u32 i = 0; i < 4; i++) for (u32 j = 0; j < 4; j++) want = want * 7 + (i == 1 && j == 3 ? 5 : 16 * i + j);
  return sum != want;
}
)";
  for (const Optimization level : kLevels) {
    auto options = options_at(level);
    options.frame = {isa::MemorySpace::kScratch, 0, 0x400};
    INFO("level " << static_cast<int>(level));
    CHECK(run(source, "or.c", options).return_value == 0);
  }
}

TEST_CASE("a frame in SDRAM that starts at no quadword is refused") {
  compiler::CompileOptions options;
  options.frame.space = isa::MemorySpace::kSdram;
  options.frame.base = 0x404;
  const std::string text = refusal_of("int main(void) { return 0; }", options);
  CHECK_THAT(text, Catch::StartsWith("test.c:1:"));
  CHECK_THAT(text, Catch::Contains("multiple of 8 bytes, not at 1028"));
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
  for (const isa::MemorySpace space : kSpaces)
    for (const Optimization level : kLevels) {
      auto options = options_at(level);
      options.frame = {space, 0x400, 0x400};
      CHECK(run(source, "arrays.c", options, kThreads).return_value == kThreads);
    }
}

}  // namespace
}  // namespace nplab::test
