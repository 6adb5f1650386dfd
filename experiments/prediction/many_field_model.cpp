#include "experiments/prediction/many_field_model.h"

#include <algorithm>
#include <cmath>

namespace nplab::experiments {
namespace {

// Of two, the first probe finds half of the values; the descriptor of the table is one more.
constexpr double kProbes = 2.5;

// A resource that packets wait for, with service of about constant length.
struct Server {
  double demand = 0;  // cycles per packet
  double others = 0;  // share of the packets under way that may be there at the same time
};

}  // namespace

double vector_share(const ManyFieldShape& shape, std::size_t rules) {
  const double bursts = std::ceil(static_cast<double>(rules) / shape.reference_bits);
  return shape.ends_early ? (bursts + 1) / (2 * bursts) : 1;
}

ModelAccesses model_accesses(const ManyFieldShape& shape, const std::vector<double>& unique,
                             std::size_t rules) {
  ModelAccesses accesses;
  for (std::size_t i = 0; i < shape.searches.size(); ++i)
    accesses.searches += shape.searches[i].is_hashed ? kProbes : std::log2(2 * unique[i]);
  accesses.vectors = vector_share(shape, rules) * static_cast<double>(shape.searches.size()) *
                     std::ceil(static_cast<double>(rules) / shape.reference_bits);
  return accesses;
}

double bank_slot(double held, const simulator::SdramDescription& sdram) {
  const auto ticks = [&](double cycles) {
    return std::ceil(cycles / sdram.bus_cycles) * sdram.bus_cycles;
  };
  const double same_bank = std::max<double>(sdram.t_rc, held + sdram.t_rp + sdram.t_rcd);
  const double other_bank = std::max<double>(sdram.t_rrd, held);
  return (ticks(same_bank) + ticks(other_bank)) / 2;
}

LinearFit fit_through(double x1, double y1, double x2, double y2) {
  const double lambda = (y2 - y1) / (x2 - x1);
  return {y1 - lambda * x1, lambda};
}

ManyFieldModel::ManyFieldModel(const MeasuredPoint& small, const MeasuredPoint& large)
    : sram_reference_((small.sram_reference + large.sram_reference) / 2),
      sdram_reference_((small.sdram_reference + large.sdram_reference) / 2) {
  const ModelAccesses &a = small.accesses, &b = large.accesses;
  const double wa = weighted(a), wb = weighted(b);
  latency_ = fit_through(wa, small.costs.latency, wb, large.costs.latency);
  cycle_ = fit_through(wa, small.costs.cycle, wb, large.costs.cycle);
  // An instruction or two around each reference, whatever its memory.
  executing_ = fit_through(a.searches + a.vectors, small.costs.executing, b.searches + b.vectors,
                           large.costs.executing);
  sram_ = fit_through(a.searches, small.costs.sram, b.searches, large.costs.sram);
  sdram_ = fit_through(a.vectors, small.costs.sdram, b.vectors, large.costs.sdram);
}

double ManyFieldModel::weighted(const ModelAccesses& accesses) const {
  return sram_reference_ * accesses.searches + sdram_reference_ * accesses.vectors;
}

PacketCosts ManyFieldModel::costs(const ModelAccesses& accesses) const {
  const double x = weighted(accesses);
  return {latency_.at(x), cycle_.at(x), executing_.at(accesses.searches + accesses.vectors),
          sram_.at(accesses.searches), sdram_.at(accesses.vectors)};
}

ManyFieldModel::Load ManyFieldModel::under_load(const PacketCosts& alone, unsigned packets,
                                                unsigned engines) {
  const double used = std::min(packets, engines);
  const double all = packets;
  const std::vector<Server> servers = {
      {alone.sram, all - 1}, {alone.sdram, all - 1}, {alone.executing, all / used - 1}};
  // Waiting at each server follows from how often packets come, that from the waiting.
  double cycle = alone.cycle;
  constexpr int kSteps = 10'000;
  constexpr double kDamping = 0.1;
  for (int step = 0; step < kSteps; ++step) {
    double waiting = 0;
    for (const Server& server : servers) {
      // Of each other packet: the share of its cycle that it is served here, and its waiting, which
      // is as long as this one's; the one in service is half done.
      const double utilisation = std::min(1.0, server.others * server.demand / cycle);
      const double bound = server.others * server.demand;
      const double queue =
          utilisation >= 1 ? bound
                           : std::min(bound, server.demand * utilisation / (2 * (1 - utilisation)));
      waiting += queue;
    }
    double next = alone.cycle + waiting;
    for (const Server& server : servers)
      next = std::max(next, (server.others + 1) * server.demand);
    cycle += kDamping * (next - cycle);
  }
  return {alone.latency + (cycle - alone.cycle), all / cycle};
}

}  // namespace nplab::experiments
