// References that the caches left to the memory, until they are done: what a thread issued after
// one of them waits for it.
#pragma once

#include <algorithm>
#include <vector>

#include "simulator/base/ids.h"
#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class ForwardedReferences {
 public:
  void add(ThreadId thread) { references_.push_back({thread}); }
  // The memory serves the oldest one of the thread that it had not served, which is done in `done`.
  void served(ThreadId thread, Cycle done) {
    std::find_if(references_.begin(), references_.end(), [&](const Reference& reference) {
      return reference.thread == thread && reference.done == Cycle::never();
    })->done = done;
  }
  void forget_done(Cycle at) {
    std::erase_if(references_, [at](const Reference& reference) { return reference.done <= at; });
  }
  [[nodiscard]] bool any_of(ThreadId thread) const {
    return std::any_of(references_.begin(), references_.end(),
                       [&](const Reference& reference) { return reference.thread == thread; });
  }
  // When all those of a thread are done; never: that is not known yet.
  [[nodiscard]] Cycle done_of(ThreadId thread) const {
    Cycle until;
    for (const Reference& reference : references_)
      if (reference.thread == thread)
        until = std::max(until, reference.done);
    return until;
  }
  void hash(StateHash& hash) const {
    hash.add(references_.size());
    for (const Reference& reference : references_) {
      hash.add(reference.thread.place());
      hash.add(reference.done);
    }
  }

 private:
  struct Reference {
    ThreadId thread;
    Cycle done = Cycle::never();  // not known until it is served
  };
  std::vector<Reference> references_;
};

}  // namespace nplab::simulator
