// Bandwidth and latency of the DDR4 model by itself, beside the published points: a table on
// standard output. The published figures are another simulator's, of DDR4-2666, 8 Gb, x8, one
// channel, one rank, random 64-byte requests, half of them writes (docs/ddr4.md).
#include <fmt/format.h>

#include "simulator/dram/synthetic_load.h"

namespace {

using namespace nplab::simulator::dram;

constexpr unsigned kFifteenths = 20;

DramDescription published_part() {
  DramDescription description;
  description.timing = timing_of(Speed::k2666, Density::k8Gb, Width::kX8);
  description.controller.window = 64;
  return description;
}

LoadResult run(const DramDescription& description, const SyntheticLoad& load) {
  DramMemory memory(description);
  return run_load(memory, load, kFifteenths);
}

void print(const char* what, const LoadResult& result) {
  fmt::print("{:<44} {:6.1f} % of peak {:7.1f} M/s {:7.1f} clocks per read {:5.1f} % row hits\n",
             what, result.peak_percent, result.megarequests_per_s, result.read_latency_clocks,
             result.row_hit_percent);
}

void print_published_points() {
  struct Point {
    unsigned in_flight;
    double published;
  };
  fmt::print("random, half writes, window 64:\n");
  for (const Point point : {Point{64, 51}, Point{8, 41}, Point{4, 32}, Point{2, 22}}) {
    const LoadResult result = run(published_part(), {.in_flight = point.in_flight});
    print(fmt::format("{} in flight (published {} %, {:+.1f} %)", point.in_flight, point.published,
                      100 * (result.peak_percent / point.published - 1))
              .c_str(),
          result);
  }
}

void print_windows() {
  fmt::print("random, half writes, 64 in flight:\n");
  for (const unsigned window : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 32u, 64u}) {
    DramDescription description = published_part();
    description.controller.window = window;
    print(fmt::format("window {}", window).c_str(), run(description, {}));
  }
}

void print_shares() {
  fmt::print("64 in flight, window 64, by writes and requests that follow the one before:\n");
  for (const unsigned writes : {0u, 25u, 50u, 75u, 100u})
    for (const unsigned sequential : {0u, 50u, 90u, 100u})
      print(fmt::format("{} % writes, {} % sequential", writes, sequential).c_str(),
            run(published_part(), {.write_percent = writes, .sequential_percent = sequential}));
}

}  // namespace

int main() {
  print_published_points();
  print_windows();
  print_shares();
  print("one read in flight", run(published_part(), {.in_flight = 1, .write_percent = 0}));
}
