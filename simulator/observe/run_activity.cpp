#include "simulator/observe/run_activity.h"

#include <algorithm>
#include <bit>

namespace nplab::simulator {
namespace {

// Words are many: they are read less often.
constexpr Cycles kFirstGroupInterval = 1024;

std::size_t most_samples(std::size_t threads) {
  const std::size_t most = RunActivity::kMostThreadSamples / std::max<std::size_t>(threads, 1);
  return std::min(RunActivity::kMostSamples, std::bit_floor(most));
}

ThreadCycles activity_of(const ThreadCounters& counters) {
  return {counters.executing, counters.aborted, counters.stalled,
          counters.ready,     counters.off,     counters.waiting};
}

std::vector<WordActivity> grouped_counters(const std::vector<WordCounters>& words,
                                           const std::vector<std::uint32_t>& groups) {
  std::vector<WordActivity> sums(
      groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1);
  for (std::size_t word = 0; word < groups.size() && word < words.size(); ++word) {
    WordActivity& sum = sums[groups[word]];
    sum.executing += words[word].executing;
    sum.aborted += words[word].aborted;
    sum.stalled += words[word].stalled;
    sum.waiting += words[word].waiting;
  }
  return sums;
}

}  // namespace

RunActivity::RunActivity(const ChipParts& parts, ChipQueues queues,
                         const std::vector<RingCounters>& rings, std::vector<ThreadId> threads,
                         const WordGroups& groups)
    : parts_(parts),
      queues_(std::move(queues)),
      rings_(rings),
      threads_(std::move(threads)),
      word_groups_(groups),
      samples_(kFirstInterval, most_samples(threads_.size())),
      groups_(kFirstGroupInterval, kMostGroupSamples) {}

ActivitySample RunActivity::sample(Cycle at) const {
  ActivitySample sample{{},
                        sample_of(*parts_.sram, at),
                        sample_of(*parts_.sdram, at),
                        sample_of(*parts_.scratch, at),
                        queues_.sizes(Cycle(at.number() - 1)),
                        entries_of(rings_)};
  sample.threads.reserve(threads_.size());
  for (const ThreadId thread : threads_)
    sample.threads.push_back(
        activity_of(parts_.engines[thread.engine.index()]->thread_counters(thread.context)));
  return sample;
}

GroupSample RunActivity::group_sample() const {
  GroupSample sample(word_groups_.size());
  for (std::size_t engine = 0; engine < word_groups_.size(); ++engine)
    if (!word_groups_[engine].empty())
      sample[engine] =
          grouped_counters(parts_.engines[engine]->counters().words, word_groups_[engine]);
  return sample;
}

void RunActivity::take() {
  const Cycle at = next();
  parts_.catch_up(at);
  if (samples_.next() == at)
    samples_.add(sample(at));
  if (groups_.next() == at)
    groups_.add(group_sample());
}

ActivitySeries RunActivity::finish(Cycle end) && {
  ActivitySeries series{
      threads_, queues_.names(), queues_.capacities(), samples_.interval(), {}, groups_.interval(),
      {}};
  series.samples = std::move(samples_).values();
  series.groups = std::move(groups_).values();
  // If the run ends with an interval, the last sample has been taken.
  if (end.number() > series.samples.size() * series.interval)
    series.samples.push_back(sample(end));
  if (end.number() > series.groups.size() * series.group_interval)
    series.groups.push_back(group_sample());
  return series;
}

}  // namespace nplab::simulator
