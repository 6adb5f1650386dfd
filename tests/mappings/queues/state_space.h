// Explores all states that a system of threads can reach, breadth first, and finds what the threads
// can do wrong: the shortest path to a violated property, or to a state from which the end can no
// longer be reached (a deadlock, a livelock or a lost wake-up).
// A system names a trivially copyable State without padding, and has
//   State start() const;
//   void for_each_step(const State&, visit) const;  visit(State next, Label, Violation), 0: none
//   bool is_final(const State&) const;
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace nplab::state_space {

using StateNumber = std::uint32_t;
using Label = std::uint16_t;     // names a step for people; a system gives it its meaning
using Violation = std::uint8_t;  // 0: no property is violated
inline constexpr StateNumber kNoState = ~StateNumber{0};

enum class Verdict {
  kRight,     // no violation, and the end can be reached from every state
  kViolated,  // a step violates a property
  kStuck,     // the end cannot be reached from a state
  kTooLarge,  // there are more states than allowed; nothing is shown
};

struct Exploration {
  Verdict verdict = Verdict::kRight;
  Violation violation = 0;
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t final_states = 0;
  std::vector<Label> path{};  // the steps from the start that show what is wrong
};

// Numbers states of a fixed size in the order in which they are met.
class StateStore {
 public:
  explicit StateStore(std::size_t bytes_per_state);

  struct Place {
    StateNumber number;
    bool is_new;
  };
  Place insert(const void* state);
  [[nodiscard]] const std::byte* at(StateNumber number) const {
    return chunks_[number / kStatesPerChunk].get() + number % kStatesPerChunk * bytes_per_state_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kStatesPerChunk = 1U << 14U;

  [[nodiscard]] std::uint64_t hash(const std::byte* state) const;
  void grow();

  std::size_t bytes_per_state_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // states never move
  std::vector<StateNumber> table_;                    // open addressing; kNoState: a free place
};

// The steps between states, in the order of the states that they leave.
class StepGraph {
 public:
  void begin_state() { first_step_.push_back(targets_.size()); }
  void add(StateNumber target) { targets_.push_back(target); }
  [[nodiscard]] std::size_t steps() const { return targets_.size(); }

  // The first state from which none of the states marked in `reaches_end` can be reached, or
  // kNoState. Marks those from which one can.
  [[nodiscard]] StateNumber first_stuck(std::vector<bool>& reaches_end) const;

 private:
  [[nodiscard]] std::span<const StateNumber> targets_of(std::size_t state) const;

  std::vector<std::size_t> first_step_;
  std::vector<StateNumber> targets_;
};

template <class System>
class Explorer {
 public:
  using State = typename System::State;
  Explorer(const System& system, std::size_t most_states)
      : system_(system), most_states_(most_states), store_(sizeof(State)) {}

  Exploration run() {
    const State start = system_.start();
    store_.insert(&start);
    parents_.push_back(kNoState);
    for (StateNumber number = 0; number < store_.size(); ++number) {
      if (store_.size() > most_states_)
        return finish(Verdict::kTooLarge);
      const State state = load(number);
      reaches_end_.push_back(system_.is_final(state));
      found_.final_states += reaches_end_.back() ? 1 : 0;
      if (!expand(number, state))
        return finish(Verdict::kViolated);
    }
    const StateNumber stuck = graph_.first_stuck(reaches_end_);
    if (stuck == kNoState)
      return finish(Verdict::kRight);
    found_.path = path_to(stuck);
    return finish(Verdict::kStuck);
  }

 private:
  [[nodiscard]] State load(StateNumber number) const {
    State state;
    std::memcpy(&state, store_.at(number), sizeof(State));
    return state;
  }

  // False: a step violates a property.
  bool expand(StateNumber number, const State& state) {
    graph_.begin_state();
    system_.for_each_step(state, [&](const State& next, Label label, Violation violation) {
      if (found_.violation != 0)
        return;
      if (violation != 0) {
        found_.violation = violation;
        found_.path = path_to(number);
        found_.path.push_back(label);
        return;
      }
      const auto [target, is_new] = store_.insert(&next);
      if (is_new)
        parents_.push_back(number);
      graph_.add(target);
    });
    return found_.violation == 0;
  }

  // The steps to a state: those of its ancestors that lead from one to the next.
  [[nodiscard]] std::vector<Label> path_to(StateNumber number) const {
    std::vector<Label> backwards;
    for (StateNumber child = number; parents_[child] != kNoState; child = parents_[child]) {
      const State wanted = load(child);
      bool is_found = false;
      system_.for_each_step(load(parents_[child]), [&](const State& next, Label label, Violation) {
        if (is_found || std::memcmp(&next, &wanted, sizeof(State)) != 0)
          return;
        is_found = true;
        backwards.push_back(label);
      });
    }
    return {backwards.rbegin(), backwards.rend()};
  }

  Exploration finish(Verdict verdict) {
    found_.verdict = verdict;
    found_.states = store_.size();
    found_.steps = graph_.steps();
    return std::move(found_);
  }

  const System& system_;
  std::size_t most_states_;
  StateStore store_;
  StepGraph graph_;
  std::vector<StateNumber> parents_;  // the state from which each was met first
  std::vector<bool> reaches_end_;
  Exploration found_;
};

template <class System>
Exploration explore(const System& system, std::size_t most_states = 60'000'000) {
  return Explorer<System>(system, most_states).run();
}

}  // namespace nplab::state_space
