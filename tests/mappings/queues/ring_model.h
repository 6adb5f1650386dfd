// All steps that the threads of a ring and the memory can take from a state: what state_space.h
// explores. A step is one reference that memory performs, the run of a thread from there to its
// next reference, or the arrival of a signal. A thread that has its engine for itself runs in the
// step of its reference: nobody else sees its registers.
#pragma once

#include <string>
#include <vector>

#include "consumer_steps.h"
#include "counter_steps.h"
#include "producer_steps.h"
#include "releaser_steps.h"
#include "ring_ledger.h"
#include "ring_setup.h"
#include "ring_state.h"
#include "ring_symmetry.h"
#include "state_space.h"

namespace nplab::ring_model {

enum class Reduction { kNone, kSymmetry };

// What a step was, packed into a label.
struct StepName {
  enum class Actor : std::uint8_t { kProducer, kConsumer, kReleaser, kSignal };
  Actor actor{};
  unsigned thread = 0;
  std::uint8_t at = 0;
  Phase phase{};  // before the step

  [[nodiscard]] state_space::Label label() const;
  static StepName of(state_space::Label label);
};

class RingModel {
 public:
  using State = RingState;
  explicit RingModel(const RingSetup& setup, Reduction reduction = Reduction::kSymmetry)
      : setup_(setup), reduction_(reduction) {}

  [[nodiscard]] State start() const;
  [[nodiscard]] bool is_final(const State& state) const;

  template <class Visit>
  void for_each_step(const State& state, Visit visit) const;

  // A path from the start, one line a step with what is in memory after it. Requires a path that
  // was found without reduction, which changes the threads' numbers.
  [[nodiscard]] std::string describe(const std::vector<state_space::Label>& path) const;

 private:
  template <class Steps, class Thread, class Visit>
  void for_each_step_of(const State& state, const Side& side, StepName::Actor actor,
                        std::array<Thread, kMostThreads> State::* threads,
                        const Visit& visit) const;
  // False: the thread cannot take a step.
  template <class Steps>
  [[nodiscard]] bool take_step(Steps& steps, Phase phase, bool is_alone) const;
  [[nodiscard]] std::string describe(StepName step) const;
  [[nodiscard]] std::string describe(const Memory& memory) const;

  RingSetup setup_;
  Reduction reduction_;
};

template <class Steps, class Thread, class Visit>
void RingModel::for_each_step_of(const State& state, const Side& side, StepName::Actor actor,
                                 std::array<Thread, kMostThreads> State::* threads,
                                 const Visit& visit) const {
  for (unsigned number = 0; number < side.threads(); ++number) {
    const Phase phase = (state.*threads)[number].phase;
    const StepName name{actor, number, (state.*threads)[number].at, phase};
    State next = state;
    Steps steps(setup_, next, number);
    if (!take_step(steps, phase, side.is_alone(number)))
      continue;
    if (reduction_ == Reduction::kSymmetry)
      make_canonical(setup_, next);
    visit(next, name.label(), static_cast<state_space::Violation>(steps.violated()));
  }
}

template <class Steps>
bool RingModel::take_step(Steps& steps, Phase phase, bool is_alone) const {
  if (phase == Phase::kReady || phase == Phase::kPerformed) {
    if (!steps.can_run())
      return false;
    steps.run();
    return true;
  }
  const Word* count = steps.word_to_lock();
  const bool is_locked_out = setup_.primitive == LockPrimitive::kLockCam && count != nullptr &&
                             (count->distance & kLock) != 0;
  if (phase == Phase::kIssued ? !steps.is_next_of_engine() : is_locked_out)
    return false;
  if (is_locked_out) {
    steps.lock_out();
    return true;
  }
  steps.perform();
  if (is_alone)
    steps.run();
  return true;
}

template <class Visit>
void RingModel::for_each_step(const State& state, Visit visit) const {
  using Actor = StepName::Actor;
  if (setup_.shape == RingShape::kCounters) {
    for_each_step_of<CounterProducerSteps>(state, setup_.producers, Actor::kProducer,
                                           &State::producers, visit);
    for_each_step_of<CounterConsumerSteps>(state, setup_.consumers, Actor::kConsumer,
                                           &State::consumers, visit);
  } else {
    for_each_step_of<ProducerSteps>(state, setup_.producers, Actor::kProducer, &State::producers,
                                    visit);
    for_each_step_of<ConsumerSteps>(state, setup_.consumers, Actor::kConsumer, &State::consumers,
                                    visit);
  }
  for_each_step_of<ReleaserSteps>(state, setup_.releasers, Actor::kReleaser, &State::releasers,
                                  visit);
  for (unsigned consumer = 0; consumer < setup_.consumers.threads(); ++consumer) {
    if (state.signals_in_flight[consumer] == 0)
      continue;
    State next = state;
    --next.signals_in_flight[consumer];
    next.consumers[consumer].has_signal = 1;
    visit(next, StepName{Actor::kSignal, consumer, 0, {}}.label(), 0);
  }
}

}  // namespace nplab::ring_model
