#include "experiments/record/activity_record.h"

#include <algorithm>
#include <bit>
#include <map>

#include "experiments/record/line_table.h"
#include "experiments/record/queue_entries.h"
#include "experiments/record/word_use.h"
#include "isa/operations.gen.h"

namespace nplab::experiments {
namespace {

using simulator::ActivitySample;
using simulator::ThreadCycles;
using simulator::WordActivity;

// Words of one place and use are counted together.
struct WordGroup {
  std::string place;
  WordUse use{};
  auto operator<=>(const WordGroup&) const = default;
};

struct GroupedWords {
  std::vector<WordGroup> groups;
  std::vector<std::uint32_t> numbers;  // of each word's group
};

GroupedWords grouped_words(const isa::ProgramImage& image) {
  GroupedWords result;
  const auto uses = word_uses(image);
  std::map<WordGroup, std::uint32_t> known;
  for (std::size_t word = 0; word < image.words.size(); ++word) {
    const WordGroup group{place_of_word(image, word), uses.at(word)};
    const auto [found, is_new] = known.emplace(group, static_cast<std::uint32_t>(known.size()));
    if (is_new)
      result.groups.push_back(group);
    result.numbers.push_back(found->second);
  }
  return result;
}

// What `count` says of each interval: the differences of counts that go up.
template <class Samples, class CountOf>
reports::CountSeries differences(const Samples& samples, CountOf count) {
  reports::CountSeries series;
  std::uint64_t before = 0;
  for (const auto& sample : samples) {
    const std::uint64_t now = count(sample);
    series.values.push_back(now - before);
    before = now;
  }
  return series;
}

reports::ThreadActivity thread_activity(const simulator::ActivitySeries& series,
                                        std::size_t number) {
  reports::ThreadActivity thread{
      series.threads[number].engine.index(), series.threads[number].context.index(), {}};
  const auto add = [&](std::string state, auto count) {
    if (series.samples.empty() || count(series.samples.back().threads[number]) == 0)
      return;
    thread.states.push_back(
        {std::move(state), differences(series.samples, [&](const ActivitySample& sample) {
           return count(sample.threads[number]);
         })});
  };
  add("executing", [](const ThreadCycles& counters) { return counters.executing; });
  add("aborted", [](const ThreadCycles& counters) { return counters.aborted; });
  add("stalled", [](const ThreadCycles& counters) { return counters.stalled; });
  add("ready", [](const ThreadCycles& counters) { return counters.ready; });
  for (unsigned bit = 0; bit < simulator::kEventKinds; ++bit) {
    add("waiting " + std::string(isa::to_string(static_cast<isa::Event>(1u << bit))),
        [bit](const ThreadCycles& counters) { return counters.waiting[bit]; });
  }
  add("off", [](const ThreadCycles& counters) { return counters.off; });
  return thread;
}

reports::MemoryActivity memory_activity(const simulator::ActivitySeries& series, std::string name,
                                        simulator::MemorySample ActivitySample::* unit) {
  const auto of = [&](auto member) {
    return differences(series.samples,
                       [=](const ActivitySample& sample) { return sample.*unit.*member; });
  };
  return {std::move(name), of(&simulator::MemorySample::active_cycles),
          of(&simulator::MemorySample::references)};
}

// Of the mapping, all rings of each.
void add_queues(const simulator::ActivitySeries& series, const mappings::Placement& placement,
                reports::Activity& activity) {
  const std::size_t first = activity.queues.size();
  for (const mappings::Queue& queue : placement.queues)
    activity.queues.push_back({queue.name, capacity_of(queue), {}});
  for (const ActivitySample& sample : series.samples) {
    const auto entries = entries_by_queue(placement, sample.ring_entries);
    for (std::size_t i = 0; i < entries.size(); ++i)
      activity.queues[first + i].depth.values.push_back(entries[i]);
  }
}

// Adds a count of a group in each interval.
void add_to(reports::CountSeries& sums, const simulator::ActivitySeries& series, unsigned engine,
            std::size_t group, simulator::Cycles WordActivity::* member) {
  const auto counts = differences(series.groups, [=](const simulator::GroupSample& sample) {
    return sample[engine][group].*member;
  });
  sums.values.resize(counts.values.size());
  for (std::size_t i = 0; i < counts.values.size(); ++i)
    sums.values[i] += counts.values[i];
}

reports::CountSeries& series_of(reports::EngineActivity& engine, WordUse use) {
  switch (use) {
    case WordUse::kStarved: return engine.starved;
    case WordUse::kBlocked: return engine.blocked;
    case WordUse::kLockSpin: return engine.lock_spin;
    case WordUse::kUseful: break;
  }
  return engine.useful;
}

// The engine by use, and its lines, each with all its words.
void add_program(const simulator::ActivitySeries& series, const CompiledProgram& program,
                 reports::Activity& activity) {
  const unsigned number = program.composed.engine;
  const auto groups = grouped_words(program.image).groups;
  reports::EngineActivity engine{number, {}, {}, {}, {}, {}, {}};
  for (reports::CountSeries* all : {&engine.useful, &engine.starved, &engine.blocked,
                                    &engine.lock_spin, &engine.aborted, &engine.stalled})
    all->values.resize(series.groups.size());
  std::map<std::string, std::size_t> lines;  // by place
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const WordActivity& sum = series.groups.back()[number][group];
    if (sum.executing + sum.aborted + sum.stalled + sum.waiting == 0)
      continue;
    add_to(series_of(engine, groups[group].use), series, number, group, &WordActivity::executing);
    add_to(engine.aborted, series, number, group, &WordActivity::aborted);
    add_to(engine.stalled, series, number, group, &WordActivity::stalled);
    const auto [found, is_new] = lines.emplace(groups[group].place, activity.lines.size());
    if (is_new)
      activity.lines.push_back({number, groups[group].place, {}, {}, {}, {}});
    reports::LineActivity& line = activity.lines[found->second];
    add_to(line.executing, series, number, group, &WordActivity::executing);
    add_to(line.aborted, series, number, group, &WordActivity::aborted);
    add_to(line.stalled, series, number, group, &WordActivity::stalled);
    add_to(line.waiting, series, number, group, &WordActivity::waiting);
  }
  activity.engines.push_back(std::move(engine));
}

}  // namespace

simulator::WordGroups words_by_line(const std::vector<CompiledProgram>& programs,
                                    unsigned engines) {
  simulator::WordGroups groups(engines);
  for (const CompiledProgram& program : programs)
    groups.at(program.composed.engine) = grouped_words(program.image).numbers;
  return groups;
}

reports::Activity activity_record(const simulator::ActivitySeries& series,
                                  const mappings::Placement& placement,
                                  const std::vector<CompiledProgram>& programs) {
  reports::Activity activity;
  activity.interval_cycles = series.interval;
  for (std::size_t i = 0; i < series.threads.size(); ++i)
    activity.threads.push_back(thread_activity(series, i));
  activity.memory = {memory_activity(series, "sram", &ActivitySample::sram),
                     memory_activity(series, "sdram", &ActivitySample::sdram),
                     memory_activity(series, "scratch", &ActivitySample::scratch)};
  for (std::size_t queue = 0; queue < series.queues.size(); ++queue) {
    reports::QueueActivity depths{series.queues[queue], series.queue_entries[queue], {}};
    for (const ActivitySample& sample : series.samples)
      depths.depth.values.push_back(sample.queues[queue]);
    activity.queues.push_back(std::move(depths));
  }
  add_queues(series, placement, activity);
  activity.line_interval_cycles = series.group_interval;
  if (!series.groups.empty())
    for (const CompiledProgram& program : programs)
      add_program(series, program, activity);
  return activity;
}

}  // namespace nplab::experiments
