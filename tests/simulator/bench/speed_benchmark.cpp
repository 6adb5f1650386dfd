// Chip cycles a second of processor time on the mixed load, in lockstep and in windows, with and
// without the kernel; not a test: figures depend on the machine.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "simulator/run/simulation.h"
#include "support/input_file.h"
#include "tests/paths.h"
#include "tests/simulator/bench/mixed_load.h"

int main(int argc, char** argv) {
  using namespace nplab;
  Diagnostics diagnostics;
  const auto file = read_input_file(source_path("simulator/chips/ixp1200.yaml"), diagnostics);
  const auto chip =
      simulator::read_chip(*yaml::parse(file->bytes, file->name, diagnostics), diagnostics);
  auto inputs = test::mixed_load(*chip);
  inputs.stop.at = simulator::Cycle(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5'000'000);
  inputs.watchdog = 0;
  struct Case {
    const char* name;
    simulator::Kernel kernel;
    simulator::Mode mode;
  };
  for (const Case& one :
       {Case{"lockstep", simulator::Kernel::kNone, simulator::Mode::kLockstep},
        Case{"windows", simulator::Kernel::kNone, simulator::Mode::kWindows},
        Case{"windows on SystemC", simulator::Kernel::kSystemC, simulator::Mode::kWindows}}) {
    inputs.mode = one.mode;
    const std::clock_t started = std::clock();
    const auto result = simulator::simulate(inputs, one.kernel);
    const double seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
    simulator::EngineCounters sum;
    for (const auto& engine : result.engines) {
      sum.executing += engine.executing;
      sum.aborted += engine.aborted;
      sum.stalled += engine.stalled;
      sum.idle += engine.idle;
    }
    const auto percent = [&](simulator::Cycles cycles) {
      return 100.0 * static_cast<double>(cycles) / static_cast<double>(sum.total());
    };
    std::printf(
        "%s: %.2f M cycles/s, %.2f M instructions/s; executing %.1f aborted %.1f stalled %.1f idle "
        "%.1f %%, %.2f references per cycle, hash %016llx\n",
        one.name, static_cast<double>(result.cycles) / seconds / 1e6,
        static_cast<double>(sum.executing) / seconds / 1e6, percent(sum.executing),
        percent(sum.aborted), percent(sum.stalled), percent(sum.idle),
        static_cast<double>(result.sram.references + result.sdram.references +
                            result.scratch.references) /
            static_cast<double>(result.cycles),
        static_cast<unsigned long long>(result.state_hash));
  }
}
