// Differential tests: programs/*.c, compiled by the host's compiler into this test and by ours for
// the chip.
#include <catch2/catch.hpp>

#include "support/input_file.h"
#include "tests/compiler/compiled.h"
#include "tests/paths.h"

#define NPLAB_PROGRAM(name) extern "C" int program_##name(void);
#include "programs.gen.inc"
#undef NPLAB_PROGRAM

namespace nplab::test {
namespace {

struct Program {
  const char* name;
  int (*on_host)(void);
};
const Program kPrograms[] = {
#define NPLAB_PROGRAM(name) {#name, program_##name},
#include "programs.gen.inc"
#undef NPLAB_PROGRAM
};

TEST_CASE("every program returns on the chip what it returns on the host, at every level") {
  for (const Program& program : kPrograms) {
    const std::string path = source_path("tests/compiler/programs/") + program.name + ".c";
    Diagnostics diagnostics;
    const auto file = read_input_file(path, diagnostics);
    REQUIRE(file);
    const auto expected = static_cast<std::uint32_t>(program.on_host());
    for (const compiler::Optimization level : kLevels) {
      INFO(program.name << " at level " << static_cast<int>(level));
      CHECK(run(file->bytes, path, options_at(level)).return_value == expected);
    }
  }
}

TEST_CASE("four threads keep their locals apart") {
  const std::string source = R"(
#include <microengine.h>
__sram u32 results[4];
static u32 work(u32 seed) {
  u32 local[8];
  for (u32 i = 0; i < 8; i++) { local[i] = seed + i; ctx_swap_voluntary(); }
  u32 sum = 0;
  for (u32 i = 0; i < 8; i++) sum += local[(i * seed + i) & 7];
  return sum;
}
int main(void) {
  results[ctx()] = work(1000 * ctx());
  if (ctx() != 0) return 0;
  for (;;) {
    u32 ready = 1;
    for (u32 i = 0; i < 4; i++) if (!((volatile __sram u32 *)results)[i]) ready = 0;
    if (ready) break;
  }
  return results[0] + results[1] + results[2] + results[3];
}
)";
  // Each sum is 8 seeds and indices that run through 0-7 when the step is odd; seeds are multiples
  // of 8.
  for (const compiler::Optimization level : kLevels)
    CHECK(run(source, "threads.c", options_at(level), 4).return_value ==
          8 * (0 + 1000 + 2000 + 3000) + 4 * 28);
}

}  // namespace
}  // namespace nplab::test
