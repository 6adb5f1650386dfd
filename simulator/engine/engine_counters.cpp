#include "simulator/engine/engine_counters.h"

#include <fmt/format.h>

#include <numeric>

namespace nplab::simulator {
namespace {

std::string unequal(std::string_view what, Cycles sum, Cycles expected) {
  return sum == expected ? std::string() : fmt::format("{}: {} instead of {}", what, sum, expected);
}

template <class Checks>
std::string first_of(const Checks& texts) {
  for (const std::string& text : texts)
    if (!text.empty())
      return text;
  return {};
}

std::string broken_sum(const ThreadCounters& thread, Cycles idle, Cycles cycles) {
  return first_of(std::initializer_list<std::string>{
      unequal("a thread's states", thread.total(), cycles),
      unequal("waiting of a thread by cause", sum_of(thread.waiting_on), sum_of(thread.waiting)),
      unequal("a thread's states in idle cycles", thread.idle.total(), idle)});
}

std::string broken_sum(const WordCounters& word) {
  return first_of(std::initializer_list<std::string>{
      unequal("stalled of a word by cause", sum_of(word.stalled_on), word.stalled),
      unequal("waiting of a word by cause", sum_of(word.waiting_on), word.waiting)});
}

}  // namespace

Cycles sum_of(std::span<const Cycles> parts) {
  return std::accumulate(parts.begin(), parts.end(), Cycles{0});
}

Cycles IdleThread::total() const {
  return sum_of(waiting_on) + ready + off;
}

Cycles ThreadCounters::total() const {
  return executing + aborted + stalled + ready + off + sum_of(waiting);
}

std::string broken_sum(const EngineCounters& counters, Cycles cycles) {
  WordCounters words;
  for (const WordCounters& word : counters.words) {
    if (auto text = broken_sum(word); !text.empty())
      return text;
    words.executing += word.executing;
    words.aborted += word.aborted;
    words.stalled += word.stalled;
    words.waiting += word.waiting;
  }
  ThreadCounters threads;
  Cycles waiting = 0;
  for (const ThreadCounters& thread : counters.threads) {
    if (auto text = broken_sum(thread, counters.idle, cycles); !text.empty())
      return text;
    threads.executing += thread.executing;
    threads.aborted += thread.aborted;
    threads.stalled += thread.stalled;
    waiting += sum_of(thread.waiting);
  }
  return first_of(std::initializer_list<std::string>{
      unequal("the engine's states", counters.total(), cycles),
      unequal("executing of the words", words.executing, counters.executing),
      unequal("aborted of the words", words.aborted, counters.aborted),
      unequal("stalled of the words", words.stalled, counters.stalled),
      unequal("waiting of the words", words.waiting, waiting),
      unequal("executing of the threads", threads.executing, counters.executing),
      unequal("aborted of the threads", threads.aborted, counters.aborted),
      unequal("stalled of the threads", threads.stalled, counters.stalled),
      unequal("aborted by class", sum_of(counters.aborted_by), counters.aborted),
      unequal("stalled by cause", sum_of(counters.stalled_on), counters.stalled)});
}

}  // namespace nplab::simulator
