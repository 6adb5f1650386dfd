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

LoadResult run(const DramDescription& description, SyntheticLoad load) {
  load.warm_up = 5'000;
  load.requests = 50'000;
  DramMemory memory(description);
  return run_load(memory, load, kFifteenths);
}

void print(const char* what, const LoadResult& result) {
  fmt::print("{:<44} {:6.1f} % of peak {:7.1f} M/s {:7.1f} clocks per read {:5.1f} % row hits\n",
             what, result.peak_percent, result.megarequests_per_s, result.read_latency_clocks,
             result.row_hit_percent);
}

struct Point {
  unsigned in_flight;
  double published;
};
constexpr Point kPoints[] = {{64, 51}, {8, 41}, {4, 32}, {2, 22}};

// What print leaves open about the published controller.
struct Variant {
  const char* name;
  WriteDrain drain;
  bool closes;
  unsigned write_queue, high, idle, low;
};

DramDescription described(const Variant& variant) {
  DramDescription description = published_part();
  ControllerDescription& controller = description.controller;
  controller.write_drain = variant.drain;
  controller.page = static_cast<PagePolicy::Choice>(variant.closes ? 1 : 0);
  controller.write_queue = variant.write_queue;
  controller.write_high = variant.high;
  controller.write_idle = variant.idle;
  controller.write_low = variant.low;
  return description;
}

void print_published_points() {
  constexpr auto kBatch = WriteDrain::kBatch, kShared = WriteDrain::kShared;
  constexpr Variant kVariants[] = {
      {"batch, open, 16 writes, marks 16, 8, 0", kBatch, false, 16, 16, 8, 0},
      {"batch, open, 16 writes, marks 16, 1, 0", kBatch, false, 16, 16, 1, 0},
      {"batch, open, 16 writes, marks 16, 16, 0", kBatch, false, 16, 16, 16, 0},
      {"batch, open, 32 writes, marks 32, 8, 0", kBatch, false, 32, 32, 8, 0},
      {"batch, open, 32 writes, marks 26, 26, 6", kBatch, false, 32, 26, 26, 6},
      {"batch, closed, 32 writes, marks 26, 26, 6", kBatch, true, 32, 26, 26, 6},
      {"batch, closed, 16 writes, marks 16, 8, 0", kBatch, true, 16, 16, 8, 0},
      {"batch, closed, 32 writes, marks 32, 8, 0", kBatch, true, 32, 32, 8, 0},
      {"shared, open, 16 writes, marks 16, 8, 0", kShared, false, 16, 16, 8, 0},
      {"shared, closed, 16 writes, marks 16, 8, 0", kShared, true, 16, 16, 8, 0},
      {"shared, open, 32 writes, marks 32, 8, 0", kShared, false, 32, 32, 8, 0},
      {"shared, closed, 32 writes, marks 32, 8, 0", kShared, true, 32, 32, 8, 0},
  };
  fmt::print(
      "random, half writes, window 64, % of peak (difference from the published point in %):\n");
  fmt::print("{:<44}", "in flight");
  for (const Point& point : kPoints)
    fmt::print(" {:>14}", fmt::format("{} ({} %)", point.in_flight, point.published));
  fmt::print("\n");
  for (const Variant& variant : kVariants) {
    fmt::print("{:<44}", variant.name);
    for (const Point& point : kPoints) {
      const LoadResult result = run(described(variant), {.in_flight = point.in_flight});
      fmt::print(" {:>14}", fmt::format("{:.1f} ({:+.1f})", result.peak_percent,
                                        100 * (result.peak_percent / point.published - 1)));
    }
    fmt::print("\n");
  }
}

void print_windows() {
  fmt::print("random, half writes, 64 in flight:\n");
  for (const WriteDrain drain : {WriteDrain::kBatch, WriteDrain::kShared})
    for (const unsigned window : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 32u, 64u}) {
      DramDescription description = published_part();
      description.controller.window = window;
      description.controller.write_drain = drain;
      print(fmt::format("window {}, {}", window, choice_words(drain)[static_cast<unsigned>(drain)])
                .c_str(),
            run(description, {}));
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
