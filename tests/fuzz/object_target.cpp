#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "tests/fuzz/targets.h"

namespace nplab::test {

void fuzz_object(Bytes input) {
  Diagnostics diagnostics;
  const std::string_view bytes(reinterpret_cast<const char*>(input.data()), input.size());
  isa::load_object(bytes, "fuzz.o", {0x100, 0x200, 0x40}, diagnostics);
}

std::vector<std::string> object_seeds() {
  std::vector<std::string> seeds;
  for (const char* source : {
           "loop#:\n  immed[a0, 1]\n  alu[a1, a0, +, 1]\n  br=0[loop#]\n  ctx_arb[kill]\n",
           ".sram\nvalue:\n  .long 1, 2, value\n.text\nstart#:\n  immed[a0, %lo(value)]\n  "
           "immed_w1[a0, %hi(value)]\n"
           "  sram[read, $0, a0, 0, 1], ctx_swap\n  .console_hex $0\n  nop\n  load_addr[b0, "
           "start#]\n  rtn[b0]\n",
       }) {
    Diagnostics diagnostics;
    if (auto object = isa::assemble(source, "seed.s", diagnostics))
      seeds.push_back(std::move(*object));
  }
  return seeds;
}

}  // namespace nplab::test
