#include "experiments/prediction/code/code_profile.h"

#include <algorithm>
#include <numeric>

#include "experiments/prediction/code/word_places.h"
#include "experiments/prediction/part_names.h"
#include "isa/control_flow.h"
#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

class Reading {
 public:
  Reading(const mappings::Placement& placement, const std::vector<CompiledProgram>& programs,
          const std::vector<CodeParts>& parts, const DemandObserver& observer,
          const std::function<double(const StagePart&)>& times)
      : placement_(placement),
        programs_(programs),
        parts_(parts),
        observer_(observer),
        times_(times) {}

  CodeProfile read() {
    for (std::size_t stage = 0; stage < placement_.stages.size(); ++stage)
      read_stage(stage);
    return std::move(profile_);
  }

 private:
  [[nodiscard]] bool runs(std::size_t stage, unsigned engine) const {
    const auto& threads = placement_.stages[stage].threads;
    return std::any_of(threads.begin(), threads.end(),
                       [&](const auto& thread) { return thread.engine == engine; });
  }

  void read_stage(std::size_t stage) {
    double all = 0, most = 0;
    std::size_t busiest = programs_.size();
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      const unsigned engine = programs_[i].composed.engine;
      if (!runs(stage, engine))
        continue;
      const auto& words = observer_.words_needed(engine, stage);
      const double executed =
          std::accumulate(words.begin(), words.end(), 0.0,
                          [](double sum, const auto& word) { return sum + word.executed; });
      all += executed;
      if (executed > most) {
        most = executed;
        busiest = i;
      }
    }
    if (busiest < programs_.size())
      read_program(stage, busiest, most / all);
  }

  // `share`: of the stage's packets.
  void read_program(std::size_t stage, std::size_t index, double share) {
    const CompiledProgram& program = programs_[index];
    const unsigned engine = program.composed.engine;
    const auto& counts = observer_.words_needed(engine, stage);
    const auto places =
        word_places(program, parts_[index], placement_, isa::control_flow(program.image));
    std::map<std::string, PartCode> of_stage;
    for (std::size_t word = 0; word < places.size(); ++word) {
      const WordPlace& place = places[word];
      if (place.stage != stage || place.name.empty())
        continue;
      const auto instruction = isa::decode(program.image.words[word]);
      const double times = times_({stage, place.part}) * share;
      ProfiledWord profiled;
      if (instruction) {
        profiled.operation = instruction->operation;
        profiled.aborts = instruction->aborts;
      }
      if (times > 0 && counts[word].executed > 0) {
        profiled.executed = counts[word].executed / times;
        profiled.aborted = counts[word].aborted / counts[word].executed;
        profiled.delay = counts[word].waits / counts[word].executed *
                         observer_.free_wait(engine, static_cast<std::uint32_t>(word));
      }
      PartCode& code = of_stage[place.name];
      code.references = references(place.part);
      code.lines[place.line].push_back(profiled);
    }
    for (auto& [name, code] : of_stage) {
      code.stage = part_of_stage(placement_, stage);
      profile_[name].push_back(std::move(code));
    }
  }

  [[nodiscard]] double references(const CodePart& part) const {
    switch (part.kind) {
      case PartKind::kPut: return references_of_put(placement_.queues.at(part.index));
      case PartKind::kGet: return references_of_get(placement_.queues.at(part.index));
      default: return 0;
    }
  }

  const mappings::Placement& placement_;
  const std::vector<CompiledProgram>& programs_;
  const std::vector<CodeParts>& parts_;
  const DemandObserver& observer_;
  const std::function<double(const StagePart&)>& times_;
  CodeProfile profile_;
};

}  // namespace

CodeProfile code_profile(const mappings::Placement& placement,
                         const std::vector<CompiledProgram>& programs,
                         const std::vector<CodeParts>& parts, const DemandObserver& observer,
                         const std::function<double(const StagePart&)>& times) {
  return Reading(placement, programs, parts, observer, times).read();
}

}  // namespace nplab::experiments
