// The model of Qu, Zhou and Prasanna for classification of many fields by decomposition, in terms
// of this machine: the memory accesses of a packet are
//   V = alpha + lambda { levels of the range trees + probes of the hash tables
//                        + mu W N / G },        W searches, N rules, G bits of a reference,
// and a packet's latency is what its instructions and accesses take. alpha and lambda are fitted on
// two numbers of rules with one packet under way; nothing is fitted after that.
//
// Differences, each with its reason. The publication has one cost for an access; here tree and hash
// lie in another memory than vectors, so that accesses are weighted with what a reference of either
// memory takes with one packet under way. It assumes mu = 0.5 and adds eta0 N P for packets under
// way, eta0 fitted for P > 1; here mu follows from G (a match at a random rule ends its
// sub-vector), and P packets wait for each other at both memories and at engines: as at a server of
// constant service (Pollaczek and Khinchine), to which the others come once in their cycle, which
// is longer by that waiting. The busiest server bounds the rate. SDRAM serves a reference in the
// mean of what its two banks allow, not in what its bus is active (bank_slot).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulator/parameters/chip_parameters.h"

namespace nplab::experiments {

struct DecomposedSearch {
  bool is_hashed = false;
  std::vector<std::string> fields;  // of the profile `openflow`
};

// How the vectors of one packet are searched.
struct ManyFieldShape {
  std::vector<DecomposedSearch> searches;
  bool ends_early = true;
  double reference_bits = 256;  // G
};

// Accesses of a packet by the model, before alpha and lambda.
struct ModelAccesses {
  double searches = 0;  // to trees and hash tables
  double vectors = 0;
};

// mu: the share of a vector that a packet reads, whose first match is at a random rule.
double vector_share(const ManyFieldShape& shape, std::size_t rules);

// `unique` values of each search's field or superfield, in the order of the searches.
ModelAccesses model_accesses(const ManyFieldShape& shape, const std::vector<double>& unique,
                             std::size_t rules);

// Means of a packet; cycles of the chip.
struct PacketCosts {
  double latency = 0;    // key loaded to verdict
  double cycle = 0;      // of the thread: from one packet's verdict to the next one's
  double executing = 0;  // of its engine
  double sram = 0;       // of the memory's bus
  double sdram = 0;      // of that memory: bus and banks
};

// How long a memory of two banks, each closed after an access, is taken by a reference when
// references wait in order: a reference to the bank that was used last waits until it is closed and
// open again, one to the other bank for the bus alone; vectors lie in either bank with the same
// probability. `held`: cycles of the bus.
double bank_slot(double held, const simulator::SdramDescription& sdram);

// What is measured with one packet under way.
struct MeasuredPoint {
  std::size_t rules = 0;
  ModelAccesses accesses;
  PacketCosts costs;
  double sram_reference = 0;  // cycles from issue to the context being ready, mean
  double sdram_reference = 0;
};

// y = alpha + lambda x through two points.
struct LinearFit {
  double alpha = 0, lambda = 0;
  [[nodiscard]] double at(double x) const { return alpha + lambda * x; }
};
LinearFit fit_through(double x1, double y1, double x2, double y2);

class ManyFieldModel {
 public:
  ManyFieldModel(const MeasuredPoint& small, const MeasuredPoint& large);

  // With one packet under way.
  [[nodiscard]] PacketCosts costs(const ModelAccesses& accesses) const;

  struct Load {
    double latency = 0;     // cycles
    double throughput = 0;  // packets per cycle
  };
  // With `packets` under way, evenly on as many engines of `engines` as there are packets for.
  [[nodiscard]] static Load under_load(const PacketCosts& alone, unsigned packets,
                                       unsigned engines);

  [[nodiscard]] const LinearFit& latency() const { return latency_; }

 private:
  [[nodiscard]] double weighted(const ModelAccesses& accesses) const;

  double sram_reference_, sdram_reference_;
  LinearFit latency_, cycle_, executing_, sram_, sdram_;
};

}  // namespace nplab::experiments
