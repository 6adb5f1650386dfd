#include "experiments/prediction/station.h"

#include <algorithm>

namespace nplab::experiments {

Traffic& Traffic::operator+=(const Traffic& other) {
  visits += other.visits;
  busy += other.busy;
  squares += other.squares;
  return *this;
}

Traffic operator*(Traffic traffic, double factor) {
  return {traffic.visits * factor, traffic.busy * factor, traffic.squares * factor};
}

double backlog_of(const Traffic& traffic, double wait) {
  if (traffic.busy <= 0 || traffic.visits <= 0)
    return 0;
  const double service = traffic.busy / traffic.visits;
  const double rest = std::min(service, traffic.squares / (2 * traffic.busy));
  return traffic.visits * wait * service + std::min(traffic.busy, 1.0) * rest;
}

double wait_within_capacity(double wait, double wait_before, double busy) {
  constexpr double kMostGrowth = 2;
  return busy > 1 ? std::max(wait, wait_before * std::min(busy, kMostGrowth)) : wait;
}

}  // namespace nplab::experiments
