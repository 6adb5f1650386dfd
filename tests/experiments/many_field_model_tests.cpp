// The published model of many fields: its accesses, its fit, and packets that wait for each other.
#include <catch2/catch.hpp>

#include "experiments/prediction/many_field_model.h"

using namespace nplab::experiments;

namespace {

ManyFieldShape two_searches(bool ends_early) {
  return {{{false, {"a"}}, {true, {"b"}}}, ends_early, 256};
}

}  // namespace

TEST_CASE("mu is one half of the vector and half a reference, or all of it") {
  CHECK(vector_share(two_searches(true), 1024) == Approx(2.5 / 4));
  CHECK(vector_share(two_searches(true), 32768) == Approx(64.5 / 128));
  CHECK(vector_share(two_searches(true), 100) == Approx(1));
  CHECK(vector_share(two_searches(false), 1024) == Approx(1));
}

TEST_CASE("accesses are levels of log2(2 q), probes, and mu W N / G") {
  const auto accesses = model_accesses(two_searches(false), {128, 50}, 1024);
  CHECK(accesses.searches == Approx(8 + 2.5));
  CHECK(accesses.vectors == Approx(2 * 4));
}

TEST_CASE("the model goes through the two points that it is fitted on") {
  const MeasuredPoint small{1024, {30, 20}, {2000, 2200, 500, 100, 150}, 20, 50};
  const MeasuredPoint large{2048, {33, 40}, {3100, 3300, 800, 110, 300}, 22, 54};
  const ManyFieldModel model(small, large);
  for (const MeasuredPoint& point : {small, large}) {
    const PacketCosts costs = model.costs(point.accesses);
    CHECK(costs.latency == Approx(point.costs.latency));
    CHECK(costs.cycle == Approx(point.costs.cycle));
    CHECK(costs.executing == Approx(point.costs.executing));
    CHECK(costs.sram == Approx(point.costs.sram));
    CHECK(costs.sdram == Approx(point.costs.sdram));
  }
}

TEST_CASE("one packet waits for nobody, many are bounded by the busiest server") {
  const PacketCosts alone{1000, 1100, 200, 50, 100};
  const auto one = ManyFieldModel::under_load(alone, 1, 16);
  CHECK(one.latency == Approx(1000));
  CHECK(one.throughput == Approx(1.0 / 1100));
  double before = 0;
  for (const unsigned packets : {2u, 4u, 8u, 16u, 32u, 64u}) {
    const auto load = ManyFieldModel::under_load(alone, packets, 16);
    INFO(packets);
    CHECK(load.throughput <= 1.0 / 100 * 1.0001);
    CHECK(load.latency > before);
    CHECK(load.latency - 1000 == Approx(packets / load.throughput - 1100).margin(0.01));
    before = load.latency;
  }
  CHECK(ManyFieldModel::under_load(alone, 64, 16).throughput == Approx(1.0 / 100).epsilon(0.001));
  CHECK(ManyFieldModel::under_load({1000, 1100, 400, 0, 0}, 64, 16).throughput ==
        Approx(16.0 / 400).epsilon(0.05));
}

TEST_CASE("two banks that close after each access serve half of the references late") {
  nplab::simulator::SdramDescription sdram;
  sdram.bus_cycles = 2;
  sdram.t_rcd = 4;
  sdram.t_rp = 4;
  sdram.t_rc = 12;
  sdram.t_rrd = 4;
  INFO("the same bank 5 + 4 + 4 cycles later, the other bank after 5, both on the memory's clock");
  CHECK(bank_slot(5, sdram) == Approx((14 + 6) / 2));
  sdram.t_rc = 20;
  CHECK(bank_slot(5, sdram) == Approx((20 + 6) / 2));
  sdram.t_rc = sdram.t_rp = sdram.t_rcd = 0;
  CHECK(bank_slot(5, sdram) == Approx(6));
}
