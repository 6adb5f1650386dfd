// Which resource bounds a run, and what its removal would give, from the record alone.
//
// Operational analysis with the record's own demands: each group of stages on the same engines,
// each memory and the ports could complete so many packets at most; the least of these capacities
// bounds the run. What is spent on polling is no demand. docs/verdict.md derives the figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// How much of the run a resource is taken, in percent of its cycles; of the ports, of their line
// rate.
struct ResourceUse {
  std::string resource;  // `engine5`, `engine1-4`, `sram`, `sdram`, `scratch`, `ports`: as
                         // `--without` takes it; or one direction, `ports_in`, `ports_out`; or the
                         // unit beside the engines, `match`
  std::string label;     // `engine 5, transmit`
  double busy_pct = 0;
  double useful_pct = 0;   // of it, for packets
  double polling_pct = 0;  // executed or referred to while waiting
};

struct Bound {
  ResourceUse use;
  double gain_pct = 0;  // packets/s more without this resource's cost, estimated
};

struct Bounds {
  std::vector<ResourceUse> uses;  // of every engine with a program, memory and direction of ports
  Bound first;                    // the resource whose removal gives most
  std::optional<Bound> next;      // what bounds the run without it, and what removing both gives
};

// Nothing for a run that failed or completed no packet, and for records without lines or stages
// (older and lean ones).
std::optional<Bounds> bounds_of(const RunRecord& record);

// Packets/s more, in percent, that the record lets expect without `resource` (a name as above, one
// engine of several, `polling` or `aborts`); nothing where bounds_of is nothing or the name is
// unknown.
std::optional<double> estimated_gain(const RunRecord& record, const std::string& resource);

}  // namespace nplab::reports
