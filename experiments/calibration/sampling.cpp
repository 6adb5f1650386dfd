#include "experiments/calibration/sampling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "experiments/studies/seeded_draw.h"

namespace nplab::experiments {
namespace {

constexpr std::size_t kTriesPerSetting = 50;

using Draw = SeededDraw;

std::size_t level_at(const OpenParameter& parameter, double fraction) {
  const auto levels = static_cast<double>(parameter.levels.size());
  return std::min(parameter.levels.size() - 1, static_cast<std::size_t>(fraction * levels));
}

// Up to `step` of the levels away, at least one; stays within the levels.
std::size_t moved(std::size_t level, std::size_t levels, double step, Draw& draw) {
  const double reach = std::max(1.0, step * static_cast<double>(levels));
  const double by = (2 * draw.fraction() - 1) * (reach + 0.5);
  const auto last = static_cast<double>(levels - 1);
  return static_cast<std::size_t>(
      std::clamp(std::round(static_cast<double>(level) + by), 0.0, last));
}

Setting with_one_anywhere(const std::vector<OpenParameter>& parameters, Setting setting,
                          Draw& draw) {
  const std::size_t one = draw.index(parameters.size());
  setting[one] = draw.index(parameters[one].levels.size());
  return setting;
}

Setting between(const std::vector<OpenParameter>& parameters, const Setting& first,
                const Setting& second, const Neighbourhood& neighbourhood, Draw& draw) {
  Setting setting(first.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    setting[i] = draw.index(2) == 0 ? first[i] : second[i];
    if (draw.fraction() < neighbourhood.moved_share)
      setting[i] = moved(setting[i], parameters[i].levels.size(), neighbourhood.step, draw);
  }
  return setting;
}

}  // namespace

std::vector<Setting> latin_hypercube(const std::vector<OpenParameter>& parameters,
                                     std::size_t settings, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Setting> sample(settings, Setting(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::vector<std::size_t> order = draw.shuffled(settings);
    for (std::size_t k = 0; k < settings; ++k) {
      const double at = static_cast<double>(order[k]) + draw.fraction();
      sample[k][i] = level_at(parameters[i], at / static_cast<double>(settings));
    }
  }
  return sample;
}

std::vector<Setting> settings_near(const std::vector<OpenParameter>& parameters,
                                   const std::vector<Setting>& parents,
                                   const std::vector<Setting>& known, std::size_t settings,
                                   const Neighbourhood& neighbourhood, std::uint64_t seed) {
  assert(!parents.empty() && "settings are drawn near others");
  Draw draw(seed);
  std::set<Setting> seen(known.begin(), known.end());
  std::vector<Setting> found;
  for (std::size_t tries = 0; found.size() < settings && tries < kTriesPerSetting * settings;
       ++tries) {
    const Setting& first = parents[draw.index(parents.size())];
    const Setting& second = parents[draw.index(parents.size())];
    Setting next = draw.fraction() < neighbourhood.local_share
                       ? between(parameters, first, second, neighbourhood, draw)
                       : with_one_anywhere(parameters, first, draw);
    if (seen.insert(next).second)
      found.push_back(std::move(next));
  }
  return found;
}

}  // namespace nplab::experiments
