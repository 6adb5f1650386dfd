// Seeded samples of a parameter space.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "experiments/calibration/parameter_space.h"

namespace nplab::experiments {

// A Latin hypercube (McKay, Beckman, Conover, Technometrics 21, 1979): of each parameter, the range
// is divided into as many parts of equal size as there are settings, and each part is drawn once.
// The same seed gives the same settings.
std::vector<Setting> latin_hypercube(const std::vector<OpenParameter>& parameters,
                                     std::size_t settings, std::uint64_t seed);

// How settings near others are drawn.
struct Neighbourhood {
  // Of the new settings; the others draw one parameter from all its range.
  double local_share = 0.5;
  double moved_share = 0.3;  // of the parameters of a local move
  double step = 0.15;        // of a parameter's levels: how far it goes at most
};

// New settings near `parents`, none of them among `known`, no two alike. A part takes each
// parameter from one of two parents and moves some of them a little; the rest moves one parameter
// of one parent anywhere in its range, so that a range is not found narrow because nothing was
// tried outside of it. May give fewer than asked for when the space has no more.
std::vector<Setting> settings_near(const std::vector<OpenParameter>& parameters,
                                   const std::vector<Setting>& parents,
                                   const std::vector<Setting>& known, std::size_t settings,
                                   const Neighbourhood& neighbourhood, std::uint64_t seed);

}  // namespace nplab::experiments
