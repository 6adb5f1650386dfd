#include "ring_checks.h"

#include <catch2/catch.hpp>

namespace nplab::ring_model {
namespace {

using state_space::Exploration;
using state_space::Verdict;

struct Found {
  Verdict verdict{};
  Property property{};
  friend bool operator==(const Found&, const Found&) = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
  switch (found.verdict) {
    case Verdict::kRight: return out << "right";
    case Verdict::kViolated: return out << text_of(found.property);
    case Verdict::kStuck: return out << "the end cannot be reached from a state";
    case Verdict::kTooLarge: break;
  }
  return out << "too many states";
}

Exploration explored(const RingSetup& setup, Reduction reduction) {
  return state_space::explore(RingModel(setup, reduction));
}

void check(const RingSetup& setup, const Found& expected) {
  const Exploration found = explored(setup, Reduction::kSymmetry);
  const Found is{found.verdict, static_cast<Property>(found.violation)};
  std::string path;
  if (is != expected && is.verdict != Verdict::kTooLarge) {
    const RingModel model(setup, Reduction::kNone);
    path = model.describe(state_space::explore(model).path);
  }
  INFO(setup.text() << ": " << found.states << " states, " << found.steps << " steps\n" << path);
  CHECK(is == expected);
}

}  // namespace

RingSetup with_items(RingSetup setup, unsigned items) {
  setup.items = items;
  return setup;
}
RingSetup with_shape(RingSetup setup, RingShape shape) {
  setup.shape = shape;
  return setup;
}
RingSetup with_bursts(RingSetup setup, unsigned bursts) {
  setup.bursts = bursts;
  return setup;
}
RingSetup with_rings(RingSetup setup, unsigned rings) {
  setup.producers = side_on(setup.producers.engines, rings);
  setup.consumers = side_on(setup.consumers.engines, rings);
  return setup;
}
RingSetup with_batch(RingSetup setup, std::uint32_t batch) {
  setup.batch = batch;
  return setup;
}
RingSetup with_quantum(RingSetup setup, std::uint32_t quantum) {
  setup.quantum = quantum;
  return setup;
}
RingSetup with_release_on(RingSetup setup, const Engines& releasers) {
  setup.release = Release::kEndOfPacket;
  setup.releasers = side_on(releasers);
  return setup;
}
RingSetup with_lock_cam(RingSetup setup) {
  setup.primitive = LockPrimitive::kLockCam;
  return setup;
}
RingSetup with_signal(RingSetup setup) {
  setup.wait = Wait::kSignal;
  return setup;
}
RingSetup with_order(RingSetup setup, MemoryOrder order) {
  setup.order = order;
  return setup;
}
RingSetup with(RingSetup setup, Mutation mutation) {
  setup.mutation = mutation;
  return setup;
}

void check_right(const RingSetup& setup) {
  check(setup, {Verdict::kRight, Property::kNone});
}
void check_violates(const RingSetup& setup, Property property) {
  check(setup, {Verdict::kViolated, property});
}
void check_gets_stuck(const RingSetup& setup) {
  check(setup, {Verdict::kStuck, Property::kNone});
}

}  // namespace nplab::ring_model
