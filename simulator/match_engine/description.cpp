#include "simulator/match_engine/description.h"

namespace nplab::simulator::match {

MatchDescription description_of(const MatchUnitParameters& parameters) {
  MatchDescription unit;
  unit.clock_hz = parameters.clock_hz;
  unit.sessions = parameters.sessions;
  unit.hash_latency = parameters.hash_latency;
  unit.load_queue = parameters.load_queue;
  unit.store_queue = parameters.store_queue;
  unit.stale_reads = parameters.stale_reads;
  unit.state = parameters.state;
  unit.collisions = parameters.collisions;
  unit.cache = {parameters.cache_lines,         parameters.cache_ways,
                parameters.cache_replacement,   parameters.cache_read_latency,
                parameters.cache_write_latency, parameters.cache_allocation};
  unit.interconnect_latency = parameters.interconnect_latency;
  unit.dram.timing = dram::timing_of(parameters.speed, dram::Density::k8Gb, dram::Width::kX8);
  unit.dram.organization.channels = parameters.channels;
  unit.dram.controller.window = parameters.window;
  unit.dram.controller.page = parameters.page;
  unit.dram_fifteenths = dram::speed_row(parameters.speed).fifteenths;
  return unit;
}

MatchDescription published_unit(unsigned channels, unsigned window) {
  MatchUnitParameters parameters;
  parameters.channels = channels;
  parameters.window = window;
  return description_of(parameters);
}

}  // namespace nplab::simulator::match
