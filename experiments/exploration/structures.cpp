#include "experiments/exploration/structures.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace nplab::experiments {
namespace {

bool has_fork(const Cut& cut) {
  return std::any_of(cut.begin(), cut.end(), [](const Step& step) { return step.size() > 1; });
}

// Which stages stand between a fork and its join, both included, by stage; 0: none. A lane is a
// thread of each, so they have as many threads; they are given as many engines, too.
std::vector<std::size_t> lanes_of(const Cut& cut) {
  std::vector<std::size_t> lanes(stages_of(cut), 0);
  std::size_t stage = 0;
  for (std::size_t step = 0; step < cut.size(); stage += cut[step].size(), ++step) {
    if (cut[step].size() == 1)
      continue;
    // A join that forks again belongs to the lanes of both.
    const std::size_t lane = lanes[stage - 1] != 0 ? lanes[stage - 1] : step;
    for (std::size_t i = stage - 1; i <= stage + cut[step].size(); ++i)
      lanes[i] = lane;
  }
  return lanes;
}

class StructureFinder {
 public:
  StructureFinder(const SpaceDescription& space, const std::vector<Cut>& cuts,
                  const mappings::ChipFacts& chip, unsigned ports)
      : space_(space), cuts_(cuts), chip_(chip), ports_(ports) {}

  std::vector<Structure> find() {
    for (const Structure& with_ports : port_stages()) {
      const unsigned used = with_ports.all_engines();
      const unsigned most = std::min(space_.most_engines, chip_.engines);
      if (used >= most)
        continue;
      for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
        Structure structure = with_ports;
        structure.cut = cut;
        for (const EngineSharing sharing : space_.sharing) {
          structure.sharing = sharing;
          if (sharing == EngineSharing::kOwn)
            add_own(structure, most - used);
          else
            add_pools(structure, most - used);
        }
      }
    }
    return std::move(found_);
  }

 private:
  void add(const Structure& structure) {
    if (found_.size() <= kMostStructures)
      found_.push_back(structure);
  }

  // Receive and transmit in every way; engines and threads of the other stages are left open.
  [[nodiscard]] std::vector<Structure> port_stages() const {
    std::vector<Structure> stages;
    for (const unsigned engines : space_.receive_engines) {
      Structure structure;
      structure.receive_engines = engines;
      structure.receive_threads = (ports_ + engines - 1) / engines;
      if (engines > ports_ || structure.receive_threads > chip_.contexts)
        continue;
      for (const PortEngines where : space_.port_engines) {
        structure.port_engines = where;
        if (where == PortEngines::kTogether)
          add_together(structure, stages);
        else
          add_apart(structure, stages);
      }
    }
    return stages;
  }

  // One engine transmits, so one engine receives.
  void add_together(Structure structure, std::vector<Structure>& stages) const {
    structure.transmit_threads = chip_.contexts - structure.receive_threads;
    if (structure.receive_engines == 1 && structure.transmit_threads > 0)
      stages.push_back(structure);
  }

  void add_apart(Structure structure, std::vector<Structure>& stages) const {
    for (const unsigned threads : space_.transmit_threads) {
      structure.transmit_threads = threads;
      if (threads <= chip_.contexts)
        stages.push_back(structure);
    }
  }

  // Engines of its own for each stage, at most `most` in all.
  void add_own(Structure structure, unsigned most) {
    const std::vector<std::size_t> lanes = lanes_of(cuts_[structure.cut]);
    for (const auto& engines : engine_counts(lanes, most)) {
      structure.engines = engines;
      for (const unsigned threads : space_.threads) {
        structure.threads.assign(engines.size(), threads);
        if (threads <= chip_.contexts)
          add(structure);
      }
    }
  }

  // Numbers of engines by stage, those of the space, or of one stage (or lane) what the others
  // leave.
  [[nodiscard]] std::set<std::vector<unsigned>> engine_counts(const std::vector<std::size_t>& lanes,
                                                              unsigned most) const {
    std::set<std::vector<unsigned>> counts;
    std::vector<unsigned> engines;
    fill(lanes, most, engines, std::nullopt, counts);
    for (std::size_t stage = 0; space_.takes_rest && stage < lanes.size(); ++stage)
      fill(lanes, most, engines, stage, counts);
    return counts;
  }

  // Extends `engines` stage by stage; the stage `rest` takes what is left at the end.
  void fill(const std::vector<std::size_t>& lanes, unsigned left, std::vector<unsigned>& engines,
            std::optional<std::size_t> rest, std::set<std::vector<unsigned>>& counts) const {
    const std::size_t stage = engines.size();
    if (stage == lanes.size()) {
      if (!rest) {
        counts.insert(engines);
      } else if (left > 0 && lanes[*rest] == 0) {
        std::vector<unsigned> filled = engines;
        filled[*rest] = left;
        counts.insert(std::move(filled));
      }
      return;
    }
    if (stage == rest)
      return fill_with(0, lanes, left, engines, rest, counts);
    if (stage > 0 && lanes[stage] != 0 && lanes[stage] == lanes[stage - 1] && stage - 1 != rest) {
      if (engines.back() <= left)
        fill_with(engines.back(), lanes, left, engines, rest, counts);
      return;
    }
    for (const unsigned count : space_.engines_per_stage) {
      if (count <= left)
        fill_with(count, lanes, left, engines, rest, counts);
    }
  }

  void fill_with(unsigned count, const std::vector<std::size_t>& lanes, unsigned left,
                 std::vector<unsigned>& engines, std::optional<std::size_t> rest,
                 std::set<std::vector<unsigned>>& counts) const {
    engines.push_back(count);
    fill(lanes, left - count, engines, rest, counts);
    engines.pop_back();
  }

  // All stages on each engine of a pool; of one stage that is a stage with engines of its own.
  void add_pools(Structure structure, unsigned most) {
    const Cut& cut = cuts_[structure.cut];
    const std::size_t stages = stages_of(cut);
    if (stages < 2)
      return;
    std::set<unsigned> sizes(space_.engines_per_stage.begin(), space_.engines_per_stage.end());
    if (space_.takes_rest)
      sizes.insert(most);
    for (const unsigned engines : sizes) {
      if (engines > most)
        continue;
      structure.engines = {engines};
      for (const unsigned threads : space_.threads) {
        structure.threads.clear();
        if (threads <= chip_.contexts)
          share_out(structure, stages, threads, has_fork(cut));
      }
    }
  }

  // `left` threads of an engine over the stages that have none yet, at least one each; with a fork
  // as many for each.
  void share_out(Structure& structure, std::size_t stages, unsigned left, bool equal) {
    const std::size_t open = stages - structure.threads.size();
    if (open == 0) {
      if (left == 0)
        add(structure);
      return;
    }
    for (unsigned threads = 1; threads + open - 1 <= left; ++threads) {
      if (open == 1 && threads != left)
        continue;
      if (equal && !structure.threads.empty() && threads != structure.threads.front())
        continue;
      structure.threads.push_back(threads);
      share_out(structure, stages, left - threads, equal);
      structure.threads.pop_back();
    }
  }

  const SpaceDescription& space_;
  const std::vector<Cut>& cuts_;
  const mappings::ChipFacts& chip_;
  unsigned ports_;
  std::vector<Structure> found_;
};

}  // namespace

unsigned Structure::all_engines() const {
  const unsigned ports = receive_engines + (port_engines == PortEngines::kApart ? 1 : 0);
  return std::accumulate(engines.begin(), engines.end(), ports);
}

unsigned Structure::threads_of(std::size_t stage) const {
  return threads.at(stage) *
         (sharing == EngineSharing::kPool ? engines.front() : engines.at(stage));
}

unsigned Structure::task_threads() const {
  unsigned all = 0;
  for (std::size_t stage = 0; stage < threads.size(); ++stage)
    all += threads_of(stage);
  return all;
}

std::vector<Structure> structures_of(const SpaceDescription& space, const std::vector<Cut>& cuts,
                                     const mappings::ChipFacts& chip, unsigned ports) {
  return StructureFinder(space, cuts, chip, ports).find();
}

}  // namespace nplab::experiments
