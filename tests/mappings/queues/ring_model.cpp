#include "ring_model.h"

namespace nplab::ring_model {
namespace {

std::string text_of(Item item) {
  if (item == kNothing)
    return "-";
  if (item == kAlreadyRead)
    return "read";
  return "p" + std::to_string(producer_of(item)) + "." + std::to_string(number_of(item));
}

std::string text_of(Word word, std::uint32_t lock_bits) {
  const unsigned count = word.distance & ~lock_bits;
  return std::to_string(count) + ((word.distance & lock_bits) != 0 ? "*" : "");
}

// Entries of the lap before the first one.
void initialize(const RingSetup& setup, Memory& memory) {
  if (!setup.has_lap_bit())
    return;
  for (std::uint32_t i = 0; i < setup.entries; ++i) {
    const std::uint32_t count = setup.first_count + setup.count_step() * i;
    memory.entries[setup.slot(count)].lap = setup.lap(count) ? 0 : 1;
  }
}

}  // namespace

state_space::Label StepName::label() const {
  return static_cast<state_space::Label>(static_cast<unsigned>(actor) << 12 | thread << 8 |
                                         static_cast<unsigned>(phase) << 6 | at);
}

StepName StepName::of(state_space::Label label) {
  return {static_cast<Actor>(label >> 12), label >> 8 & 15U, static_cast<std::uint8_t>(label & 63),
          static_cast<Phase>(label >> 6 & 3)};
}

RingModel::State RingModel::start() const {
  State state{};
  initialize(setup_, state.memory);
  for (unsigned number = 0; number < setup_.producers.threads(); ++number) {
    if (setup_.shape == RingShape::kCounters)
      CounterProducerSteps(setup_, state, number).begin();
    else
      ProducerSteps(setup_, state, number).begin();
  }
  for (unsigned number = 0; number < setup_.consumers.threads(); ++number) {
    if (setup_.shape == RingShape::kCounters)
      CounterConsumerSteps(setup_, state, number).begin();
    else
      ConsumerSteps(setup_, state, number).begin();
  }
  for (unsigned number = 0; number < setup_.releasers.threads(); ++number)
    ReleaserSteps(setup_, state, number).begin();
  return state;
}

// Everything was taken and given back.
bool RingModel::is_final(const State& state) const {
  for (unsigned number = 0; number < setup_.producers.threads(); ++number) {
    if (state.producers[number].put != setup_.items)
      return false;
  }
  for (unsigned number = 0; number < setup_.releasers.threads(); ++number) {
    if (state.releasers[number].phase != Phase::kReady)
      return false;
  }
  return state.ledger.taken == setup_.total_items() &&
         (state.handed_on == 0 || setup_.releasers.threads() == 0);
}

std::string RingModel::describe(StepName step) const {
  using Actor = StepName::Actor;
  const bool has_counters = setup_.shape == RingShape::kCounters;
  const std::string number = std::to_string(step.thread);
  std::string text;
  switch (step.actor) {
    case Actor::kSignal: return "signal arrives at consumer " + number;
    case Actor::kProducer:
      text = "producer " + number + ": ";
      text += has_counters ? ring_model::text_of(static_cast<CounterPutAt>(step.at))
                           : ring_model::text_of(static_cast<PutAt>(step.at));
      break;
    case Actor::kConsumer:
      text = "consumer " + number + ": ";
      text += has_counters ? ring_model::text_of(static_cast<CounterGetAt>(step.at))
                           : ring_model::text_of(static_cast<GetAt>(step.at));
      break;
    case Actor::kReleaser:
      text = "releaser " + number + ": ";
      text += ring_model::text_of(static_cast<ReleaseAt>(step.at));
      break;
  }
  if (step.phase == Phase::kIssued || step.phase == Phase::kLockedOut)
    return text;
  return text + " is over, runs";
}

std::string RingModel::describe(const Memory& memory) const {
  const std::uint32_t lock = setup_.shape == RingShape::kCounters ? 0 : kLock;
  std::string text = "tail " + text_of(memory.tail, lock) + " freed " +
                     text_of(memory.freed, lock) + " head " + text_of(memory.head, lock) + " |";
  for (std::uint32_t slot = 0; slot < setup_.entries; ++slot) {
    const Entry& entry = memory.entries[slot];
    text += " " + text_of(entry.item) + "/" + std::to_string(entry.lap);
    if (setup_.bursts > 1 || setup_.shape == RingShape::kCounters)
      text += "/" + text_of(entry.rest);
  }
  return text;
}

std::string RingModel::describe(const std::vector<state_space::Label>& path) const {
  State state = start();
  std::string text;
  for (const state_space::Label wanted : path) {
    State reached = state;
    for_each_step(state, [&](const State& next, state_space::Label label, unsigned) {
      if (label == wanted)
        reached = next;
    });
    state = reached;
    const std::string step = describe(StepName::of(wanted));
    text += step + std::string(step.size() < 46 ? 46 - step.size() : 1, ' ') +
            describe(state.memory) + "\n";
  }
  return text;
}

}  // namespace nplab::ring_model
