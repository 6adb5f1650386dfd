#include "experiments/prediction/word_places.h"

#include <deque>

#include "experiments/prediction/part_names.h"

namespace nplab::experiments {
namespace {

std::string name_of(const mappings::Placement& placement, std::size_t stage, const CodePart& part) {
  const mappings::Stage& of = placement.stages.at(stage);
  switch (part.kind) {
    case PartKind::kReceive: return kReceivePart;
    case PartKind::kTransmit: return kTransmitPart;
    case PartKind::kTask: return part_of_call(of.calls.at(part.index));
    case PartKind::kKey: return part_of_key(part.index);
    case PartKind::kPut: return code_of_put(placement.queues.at(part.index));
    case PartKind::kGet: return code_of_get(placement.queues.at(part.index));
    case PartKind::kStep: return part_of_steps(of);
    default: return "";
  }
}

// The code between two parts, of the library or of several of them, is the stage's own.
CodePart own_part(const mappings::Stage& stage) {
  switch (stage.role) {
    case mappings::StageRole::kReceive: return {PartKind::kReceive, 0};
    case mappings::StageRole::kTransmit: return {PartKind::kTransmit, 0};
    default: return {PartKind::kStep, 0};
  }
}

}  // namespace

std::vector<WordPlace> word_places(const CompiledProgram& program, const CodeParts& parts,
                                   const mappings::Placement& placement,
                                   const std::vector<isa::Successors>& flow) {
  std::vector<WordPlace> places(program.image.words.size());
  std::deque<std::size_t> open;
  for (std::size_t word = 0; word < places.size(); ++word) {
    places[word].stage = parts.stage_of(word);
    if (places[word].stage)
      open.push_back(word);
  }
  const auto reach = [&](std::size_t to, std::size_t stage) {
    if (to >= places.size() || places[to].stage)
      return;
    places[to].stage = stage;
    open.push_back(to);
  };
  while (!open.empty()) {
    const std::size_t word = open.front();
    open.pop_front();
    if (flow[word].next)
      reach(word + 1, *places[word].stage);
    if (flow[word].target)
      reach(*flow[word].target, *places[word].stage);
    for (const std::uint32_t target : flow[word].computed)
      reach(target, *places[word].stage);
  }
  for (std::size_t word = 0; word < places.size(); ++word) {
    WordPlace& place = places[word];
    if (!place.stage)
      continue;
    place.part = parts.part_of(word, *place.stage, own_part(placement.stages.at(*place.stage)));
    place.name = name_of(placement, *place.stage, place.part);
    place.line = parts.line_of(word);
  }
  return places;
}

}  // namespace nplab::experiments
