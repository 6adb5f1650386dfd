#include "simulator/engine_counters.h"

#include <fmt/format.h>

#include <numeric>

namespace nplab::simulator {

Cycles ThreadCounters::total() const {
  return executing + aborted + stalled + ready + off + std::accumulate(waiting.begin(), waiting.end(), Cycles{0});
}

std::string broken_sum(const EngineCounters& counters, Cycles cycles) {
  const auto unequal = [](std::string_view what, Cycles sum, Cycles expected) {
    return sum == expected ? std::string() : fmt::format("{}: {} instead of {}", what, sum, expected);
  };
  WordCounters words;
  for (const WordCounters& word : counters.words) {
    words.executing += word.executing;
    words.aborted += word.aborted;
    words.stalled += word.stalled;
    words.waiting += word.waiting;
  }
  ThreadCounters threads;
  Cycles waiting = 0;
  for (const ThreadCounters& thread : counters.threads) {
    if (auto text = unequal("a thread's states", thread.total(), cycles); !text.empty()) return text;
    threads.executing += thread.executing;
    threads.aborted += thread.aborted;
    threads.stalled += thread.stalled;
    waiting = std::accumulate(thread.waiting.begin(), thread.waiting.end(), waiting);
  }
  for (const std::string& text :
       {unequal("the engine's states", counters.total(), cycles),
        unequal("executing of the words", words.executing, counters.executing),
        unequal("aborted of the words", words.aborted, counters.aborted),
        unequal("stalled of the words", words.stalled, counters.stalled),
        unequal("waiting of the words", words.waiting, waiting),
        unequal("executing of the threads", threads.executing, counters.executing),
        unequal("aborted of the threads", threads.aborted, counters.aborted),
        unequal("stalled of the threads", threads.stalled, counters.stalled),
        unequal("aborted by class", std::accumulate(counters.aborted_by.begin(), counters.aborted_by.end(), Cycles{0}),
                counters.aborted)})
    if (!text.empty()) return text;
  return {};
}

}  // namespace nplab::simulator
