#include "experiments/prediction/code/code_prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/code/look_path.h"
#include "experiments/prediction/code/matched_words.h"
#include "experiments/prediction/code/word_frequencies.h"
#include "experiments/prediction/code/word_places.h"
#include "experiments/prediction/part_names.h"
#include "experiments/prediction/stage_demands.h"
#include "experiments/prediction/unit_service.h"
#include "simulator/base/moved_longwords.h"
#include "simulator/engine/control_store.h"

namespace nplab::experiments {
namespace {

using mappings::Placement;
using mappings::Queue;
using mappings::Stage;

// How often a stage's operation on one of its queues happens for a packet.
double times_of(const Stage& stage, const CodePart& part, double sent_share) {
  const bool is_input = part.kind == PartKind::kGet;
  if (!is_input && part.kind != PartKind::kPut)
    return 1;
  const auto& queues = is_input ? stage.inputs : stage.outputs;
  if (std::find(queues.begin(), queues.end(), part.index) == queues.end())
    return 0;
  if (!is_input)
    return stage.gives_verdict ? sent_share : 1;
  return stage.joins ? 1 : 1 / static_cast<double>(stage.inputs.size());
}

// One program, and the stages that it is priced for.
class ProgramPrices {
 public:
  ProgramPrices(const AlgorithmProfile& profile, const Experiment& experiment,
                const CompiledProgram& program, const CodeParts& parts)
      : profile_(profile),
        placement_(experiment.placement()),
        chip_(experiment.chip),
        image_(program.image),
        ways_(program.image, experiment.chip),
        places_(word_places(program, parts, placement_, ways_.flow())) {
    for (const WordPlace& place : places_) {
      const bool is_known = place.stage && !place.name.empty();
      runs_.push_back(
          is_known ? times_of(placement_.stages[*place.stage], place.part, profile.sent_share) : 0);
    }
    matched_ = matched_words(profile.code, placement_, places_, instructions_in(image_));
    const FrequencyInputs inputs{profile.code, image_, ways_, places_, runs_, matched_};
    frequencies_ = word_frequencies(inputs);
    add_words();
    add_missing_references();
  }

  // Of a packet of the stage, and of one operation on a queue.
  [[nodiscard]] const std::map<std::size_t, Demand>& stages() const { return stages_; }
  [[nodiscard]] const std::map<StagePart, Demand>& operations() const { return operations_; }

 private:
  void add_words() {
    for (std::size_t word = 0; word < places_.size(); ++word) {
      const WordPlace& place = places_[word];
      if (!place.stage || place.name.empty())
        continue;
      const Demand demand = demand_of(word);
      stages_[*place.stage] += demand;
      if ((place.part.kind == PartKind::kPut || place.part.kind == PartKind::kGet) &&
          runs_[word] > 0)
        operations_[{*place.stage, place.part}] += demand * (1 / runs_[word]);
    }
  }

  [[nodiscard]] Demand demand_of(std::size_t word) const {
    Demand demand;
    const auto instruction = isa::decode(image_.words[word]);
    const double times = frequencies_[word].executed;
    if (!instruction || times <= 0)
      return demand;
    demand.cycles = times;
    const bool swaps = instruction->aborts == isa::AbortClass::kSwap;
    const double most = std::max(
        0.0, static_cast<double>(simulator::aborts_of(instruction->aborts, chip_.engine.pipeline)) -
                 instruction->defer);
    demand.aborted = times * (swaps ? most : frequencies_[word].aborted);
    demand.cycles += demand.aborted;
    demand.dispatches = swaps ? times : 0;
    if (is_memory_reference(*instruction)) {
      add_reference(chip_, *instruction, times, demand);
      if (joins_earlier(word, *instruction))
        demand.units[unit_of(instruction->completes_in)].joined += times;
    }
    if (swaps)
      demand.delay = times * frequencies_[word].delay.value_or(delay_of(word, *instruction));
    return demand;
  }

  // A word of the stage before it refers to the same unit, and the thread does not yield between.
  [[nodiscard]] bool joins_earlier(std::size_t word, const isa::Instruction& reference) const {
    for (std::size_t before = word; before-- > 0 && places_[before].stage == places_[word].stage;) {
      const auto earlier = isa::decode(image_.words[before]);
      if (!earlier || earlier->aborts == isa::AbortClass::kSwap)
        return false;
      if (is_memory_reference(*earlier) &&
          unit_of(earlier->completes_in) == unit_of(reference.completes_in))
        return true;
    }
    return false;
  }

  // From issuing a reference until its thread is ready.
  [[nodiscard]] double latency_of(const isa::Instruction& reference) const {
    const std::size_t unit = unit_of(reference.completes_in);
    const unsigned longwords = simulator::moved_longwords(reference.operation, reference.count);
    const double more = service_of(chip_, reference.operation, longwords).bus_cycles -
                        service_of(chip_, reference.operation, unit == kSdram ? 2 : 1).bus_cycles;
    return free_latency(chip_, unit) + std::max(0.0, more);
  }

  // Of a wait that the profile does not know: for its own reference, or for the one before it.
  [[nodiscard]] double delay_of(std::size_t word, const isa::Instruction& instruction) const {
    if (is_memory_reference(instruction))
      return latency_of(instruction);
    constexpr auto kMemory = static_cast<std::uint16_t>(isa::Event::kSram) |
                             static_cast<std::uint16_t>(isa::Event::kSdram) |
                             static_cast<std::uint16_t>(isa::Event::kFbi);
    if ((instruction.events & kMemory) == 0)
      return 0;
    for (std::size_t before = word; before-- > 0 && places_[before].stage == places_[word].stage;) {
      const auto earlier = isa::decode(image_.words[before]);
      if (!earlier || !is_memory_reference(*earlier) || earlier->aborts == isa::AbortClass::kSwap)
        continue;
      return std::max(0.0, latency_of(*earlier) - static_cast<double>(word - before));
    }
    return 0;
  }

  // References that a queue's protocol needs, and that depend on its number of entries: beside the
  // profile's number of them, or those on the way from hand-over to hand-over.
  void add_missing_references() {
    for (auto& [of, once] : operations_) {
      const Queue& queue = placement_.queues.at(of.part.index);
      if (queue.in_registers())
        continue;
      const bool puts = of.part.kind == PartKind::kPut;
      const double wanted = puts ? references_of_put(queue) : references_of_get(queue);
      const auto like =
          matched_.parts.find({of.stage, puts ? code_of_put(queue) : code_of_get(queue)});
      const std::size_t unit = unit_of_memory(queue.memory);
      const double has = like == matched_.parts.end()
                             ? std::min(wanted, once.units[unit].references)
                             : like->second->references;
      const Demand missing = references(chip_, unit, wanted - has);
      once = at_least_zero(once + missing);
      const double times = times_of(placement_.stages.at(of.stage), of.part, profile_.sent_share);
      stages_[of.stage] = at_least_zero(stages_[of.stage] + missing * times);
    }
  }

  const AlgorithmProfile& profile_;
  const Placement& placement_;
  const simulator::ChipDescription& chip_;
  const isa::ProgramImage& image_;
  const CodeWays ways_;
  const std::vector<WordPlace> places_;
  std::vector<double> runs_;  // by word, of its part, for a packet of its stage
  MatchedWords matched_;
  std::vector<WordFrequency> frequencies_;
  std::map<std::size_t, Demand> stages_;
  std::map<StagePart, Demand> operations_;
};

// Bursts vary as those of the parts that the profile measured.
void set_bursts(const Demand& like, Demand& demand) {
  const auto mean_square = [](const Demand& of) {
    return of.dispatches > 0 ? of.cycles * of.cycles / of.dispatches : 0;
  };
  const double measured = mean_square(like);
  const double spread = measured > 0 ? like.burst_squares / measured : 1;
  demand.burst_squares = std::max(1.0, spread) * mean_square(demand);
}

// Stages whose threads run the program.
std::vector<std::size_t> stages_of(const Placement& placement, unsigned engine) {
  std::vector<std::size_t> stages;
  for (std::size_t s = 0; s < placement.stages.size(); ++s) {
    const auto& threads = placement.stages[s].threads;
    if (std::any_of(threads.begin(), threads.end(),
                    [&](const auto& thread) { return thread.engine == engine; }))
      stages.push_back(s);
  }
  return stages;
}

// A stage's own program is the one that was measured where the profile has such a stage.
bool was_measured(const AlgorithmProfile& profile, const Placement& placement, unsigned engine) {
  const auto stages = stages_of(placement, engine);
  return stages.size() == 1 && has_own_program(placement, stages.front()) &&
         profile.own_programs.contains(part_of_stage(placement, stages.front()));
}

// What a program runs: engines with the same stages and threads run the same code, whatever the
// addresses in it.
std::string key_of(const Placement& placement, unsigned engine) {
  std::string key;
  for (const std::size_t stage : stages_of(placement, engine)) {
    const auto& threads = placement.stages[stage].threads;
    const auto count = std::count_if(threads.begin(), threads.end(),
                                     [&](const auto& thread) { return thread.engine == engine; });
    key += fmt::format("{} x {}\n", count, part_of_stage(placement, stage));
  }
  return key;
}

ProgramDemands demands_of(const AlgorithmProfile& profile, const Experiment& experiment,
                          const CompiledProgram& program) {
  const Placement& placement = experiment.placement();
  const CodeParts parts(program, placement);
  const ProgramPrices prices(profile, experiment, program, parts);
  const auto by_parts = stage_demands(profile, placement, experiment.chip,
                                      std::vector<bool>(experiment.chip.media.ports, true));
  ProgramDemands demands;
  for (const auto& [of, demand] : prices.operations()) {
    const Queue& queue = placement.queues.at(of.part.index);
    const bool puts = of.part.kind == PartKind::kPut;
    Demand& kept = demands.parts[puts ? part_of_put(queue) : part_of_get(queue)];
    kept = demand;
    set_bursts(demand, kept);
  }
  for (const auto& [stage, demand] : prices.stages()) {
    Demand& kept = demands.stages[part_of_stage(placement, stage)];
    kept = demand;
    set_bursts(by_parts[stage].work, kept);
  }
  for (const auto& [queue, look] : looks_for_room(program, parts, experiment.chip))
    demands.parts[look_of(code_of_put(placement.queues.at(queue)))] = look;
  return demands;
}

}  // namespace

const ProgramDemands* CodePricer::find(const Experiment& experiment,
                                       const mappings::ComposedProgram& source,
                                       Diagnostics& diagnostics) {
  const std::string key = key_of(experiment.placement(), source.engine);
  if (const auto known = known_.find(key); known != known_.end())
    return &known->second;
  const auto program = compile_program(experiment, source, diagnostics);
  if (!program)
    return nullptr;
  return &known_.emplace(key, demands_of(profile_, experiment, *program)).first->second;
}

std::optional<AlgorithmProfile> CodePricer::price(const Experiment& experiment,
                                                  Diagnostics& diagnostics) {
  // As the profile's: without loss.
  const auto composed = mappings::compose(
      {experiment.placement(), experiment.workload.key, experiment.workload.l4_key, true},
      diagnostics);
  if (!composed)
    return std::nullopt;
  AlgorithmProfile priced = profile_;
  std::set<std::string> roles, stages;
  for (const mappings::ComposedProgram& source : *composed) {
    if (!roles.insert(source.role).second ||
        was_measured(profile_, experiment.placement(), source.engine))
      continue;
    const ProgramDemands* demands = find(experiment, source, diagnostics);
    if (demands == nullptr)
      return std::nullopt;
    for (const auto& [name, demand] : demands->parts)
      priced.parts[name] = demand;
    for (const auto& [name, demand] : demands->stages) {
      if (stages.insert(name).second)
        priced.parts[name] = demand;
    }
  }
  return priced;
}

std::optional<AlgorithmProfile> price_code(const AlgorithmProfile& profile,
                                           const Experiment& experiment, Diagnostics& diagnostics) {
  return CodePricer(profile).price(experiment, diagnostics);
}

}  // namespace nplab::experiments
