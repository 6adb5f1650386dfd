#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "experiments/run/isolated_runs.h"

using namespace nplab;
using experiments::IsolatedRun;
using experiments::run_isolated;
using reports::RunRecord;

namespace {

void no_progress(double) {}

IsolatedRun with_seed(std::uint64_t seed) {
  return {"seed " + std::to_string(seed), [seed](const auto& progress) {
            progress(0.5);
            RunRecord record;
            record.seed = seed;
            return record;
          }};
}

}  // namespace

TEST_CASE("isolated runs give their records in the order of the runs, and progress up to 1") {
  double done = 0;
  Diagnostics diagnostics;
  const auto records = run_isolated(
      {with_seed(1), with_seed(2), with_seed(3)}, [&](double share) { done = share; }, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(records);
  REQUIRE(records->size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK((*records)[i].seed == i + 1);
  CHECK(done == 1);
}

TEST_CASE("a run whose process is killed is named, with the signal") {
  const IsolatedRun killed{"bv9", [](const auto&) {
                             ::raise(SIGKILL);
                             return RunRecord{};
                           }};
  Diagnostics diagnostics;
  CHECK_FALSE(run_isolated({with_seed(1), killed}, no_progress, diagnostics));
  CHECK(diagnostics.to_string() ==
        "bv9: error: the simulation's process was killed by signal 9 (Killed) before it had "
        "sent its record\n");
}

TEST_CASE("a run without a file descriptor left for its pipe is a diagnostic that names it") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{3, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  Diagnostics diagnostics;
  const auto records = run_isolated({with_seed(1)}, no_progress, diagnostics);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK_FALSE(records);
  CHECK(diagnostics.to_string().find("seed 1: error: cannot be started without a pipe") == 0);
}
