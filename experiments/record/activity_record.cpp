#include "experiments/record/activity_record.h"

#include <algorithm>
#include <bit>
#include <map>

#include "experiments/record/line_table.h"
#include "isa/operations.gen.h"

namespace nplab::experiments {
namespace {

using simulator::ActivitySample;
using simulator::ThreadCycles;
using simulator::WordActivity;

// The places of a program's words, each once, and the number of each word's.
struct PlacesOfWords {
  std::vector<std::string> places;
  std::vector<std::uint32_t> numbers;
};

PlacesOfWords places_of_words(const isa::ProgramImage& image) {
  PlacesOfWords result;
  std::map<std::string, std::uint32_t> known;
  for (std::size_t word = 0; word < image.words.size(); ++word) {
    const std::string place = place_of_word(image, word);
    const auto [found, is_new] = known.emplace(place, static_cast<std::uint32_t>(known.size()));
    if (is_new)
      result.places.push_back(place);
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

void add_lines(const simulator::ActivitySeries& series, const CompiledProgram& program,
               reports::Activity& activity) {
  const unsigned engine = program.composed.engine;
  const auto places = places_of_words(program.image).places;
  for (std::size_t number = 0; number < places.size(); ++number) {
    const auto counts = [&](simulator::Cycles WordActivity::* member) {
      const auto of = [=](const simulator::GroupSample& sample) {
        return sample[engine][number].*member;
      };
      return differences(series.groups, of);
    };
    const WordActivity& whole = series.groups.back()[engine][number];
    if (whole.executing + whole.aborted + whole.stalled + whole.waiting == 0)
      continue;
    activity.lines.push_back({engine, places[number], counts(&WordActivity::executing),
                              counts(&WordActivity::aborted), counts(&WordActivity::stalled),
                              counts(&WordActivity::waiting)});
  }
}

}  // namespace

simulator::WordGroups words_by_line(const std::vector<CompiledProgram>& programs,
                                    unsigned engines) {
  simulator::WordGroups groups(engines);
  for (const CompiledProgram& program : programs)
    groups.at(program.composed.engine) = places_of_words(program.image).numbers;
  return groups;
}

reports::Activity activity_record(const simulator::ActivitySeries& series,
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
  activity.line_interval_cycles = series.group_interval;
  if (!series.groups.empty())
    for (const CompiledProgram& program : programs)
      add_lines(series, program, activity);
  return activity;
}

}  // namespace nplab::experiments
