// One of the targets for libFuzzer; NPLAB_FUZZ_TARGET names its function. With --seeds FOLDER as
// its only arguments it writes the inputs from which to start and ends.
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/fuzz/targets.h"

#define NPLAB_JOIN(first, second) first##second
#define NPLAB_SEEDS(target) NPLAB_JOIN(target, _seeds)
#define NPLAB_RUN(target) NPLAB_JOIN(fuzz_, target)

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count != 3 || std::strcmp((*arguments)[1], "--seeds") != 0)
    return 0;
  unsigned number = 0;
  for (const std::string& seed : nplab::test::NPLAB_SEEDS(NPLAB_FUZZ_TARGET)())
    std::ofstream(std::string((*arguments)[2]) + "/seed" + std::to_string(number++),
                  std::ios::binary)
        << seed;
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nplab::test::NPLAB_RUN(NPLAB_FUZZ_TARGET)({data, size});
  return 0;
}
