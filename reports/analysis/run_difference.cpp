#include "reports/analysis/run_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "reports/analysis/causes.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/difference_causes.h"
#include "reports/analysis/line_names.h"
#include "reports/analysis/packet_share.h"
#include "reports/analysis/source_lines.h"
#include "reports/analysis/verdict.h"
#include "reports/record/run_names.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

constexpr double kSmallest = 0.05;  // cycles: what is printed with one decimal

using CyclesByName = std::map<std::string, double>;

struct Ranked {
  std::string name;
  double before = 0;
  double after = 0;
  [[nodiscard]] double difference() const { return after - before; }
};

std::vector<Ranked> ranking(const CyclesByName& before, const CyclesByName& after,
                            const PacketShare& unit) {
  std::map<std::string, Ranked> all;
  for (const auto& [name, value] : before)
    all[name].before = value / unit.before;
  for (const auto& [name, value] : after)
    all[name].after = value / unit.after;
  std::vector<Ranked> ranked;
  for (auto& [name, figures] : all) {
    figures.name = name;
    if (std::abs(figures.difference()) >= kSmallest)
      ranked.push_back(figures);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& x, const Ranked& y) {
    return std::abs(x.difference()) > std::abs(y.difference());
  });
  return ranked;
}

CyclesByName engine_cycles(const RunRecord& record) {
  CyclesByName sums;
  for (const Engine& engine : record.engines) {
    if (engine.words == 0)
      continue;
    const std::string name = fmt::format("engine {} ", engine.id);
    sums[name + "executing"] = static_cast<double>(engine.cycles.executing);
    sums[name + "aborted"] = static_cast<double>(engine.cycles.aborted);
    sums[name + "stalled"] = static_cast<double>(engine.cycles.stalled);
    sums[name + "idle"] = static_cast<double>(engine.cycles.idle);
  }
  return sums;
}

// Engine cycles that no packet got on in, and those lost after branches, by cause.
CyclesByName cause_cycles(const RunRecord& record) {
  CyclesByName sums;
  for (const Engine& engine : record.engines) {
    if (engine.words == 0)
      continue;
    const auto add = [&](const char* state, const std::string& cause, double cycles) {
      sums[fmt::format("engine {} {} {}", engine.id, state, cause)] += cycles;
    };
    for (const auto& [cause, cycles] : engine.stalled_on)
      add("stalled on", cause, static_cast<double>(cycles));
    for (const auto& [kind, cycles] : engine.aborted_by)
      add("aborted by", kind, static_cast<double>(cycles));
    for (const auto& [cause, cycles] : idle_by_cause(engine))
      add("idle, threads", idle_phrase(cause), cycles);
  }
  return sums;
}

CyclesByName waiting_cycles(const RunRecord& record) {
  CyclesByName sums;
  for (const Engine& engine : record.engines)
    for (const Thread& thread : engine.threads)
      for (const auto& [cause, cycles] : waits_of(thread))
        sums[fmt::format("threads of engine {} waiting for {}", engine.id, cause)] +=
            static_cast<double>(cycles);
  return sums;
}

CyclesByName line_cycles(const RunRecord& record) {
  const LineNames names(record);
  CyclesByName sums;
  for (const Line& line : record.lines)
    sums[names.of(line)] += static_cast<double>(busy_cycles(line));
  return sums;
}

CyclesByName line_longwords(const RunRecord& record) {
  const LineNames names(record);
  CyclesByName sums;
  for (const Line& line : record.lines)
    for (const auto& [unit, longwords] : line.longwords)
      sums[fmt::format("{:<7}  {}", unit, names.of(line))] += static_cast<double>(longwords);
  return sums;
}

std::string rate_sentence(const std::string& direction, double before, double after) {
  const double change = after - before;
  if (std::abs(change) < kSmallest)
    return fmt::format("{} stays at {:.1f} thousand packets/s.", direction, after);
  const std::string percent = before > 0 ? fmt::format(", {:+.1f} %", 100 * change / before) : "";
  return fmt::format("{} {} by {:.1f} thousand packets/s, from {:.1f} to {:.1f}{}.", direction,
                     change < 0 ? "falls" : "rises", std::abs(change), before, after, percent);
}

// Thousand packets a second since the first start of packet.
double packet_rate(const RunRecord& record, Count packets, const std::optional<Count>& start) {
  const Count cycles = start && *start < record.cycles.core ? record.cycles.core - *start : 0;
  return cycles == 0 ? 0
                     : static_cast<double>(packets) / seconds(cycles, record.clocks.core_hz) / 1000;
}

struct MemoryName {
  const char* name;
  MemoryRecord Memory::* unit;
};
constexpr std::array<MemoryName, 3> kMemories{
    {{"SRAM", &Memory::sram}, {"SDRAM", &Memory::sdram}, {"Scratch", &Memory::scratch}}};

std::string memory_sentence(const MemoryName& memory, const RunRecord& before,
                            const RunRecord& after, const PacketShare& unit) {
  const MemoryRecord& x = before.memory.*memory.unit;
  const MemoryRecord& y = after.memory.*memory.unit;
  if (x.references == 0 && y.references == 0)
    return "";
  const auto change = [&unit](Count from, Count to) {
    const double first = static_cast<double>(from) / unit.before;
    const double second = static_cast<double>(to) / unit.after;
    return fmt::format("{:.1f} instead of {:.1f} ({:+.1f})", second, first, second - first);
  };
  return fmt::format(
      "{}: references per {}: {}; longwords: {}; active for {:.1f} % of the time instead of {:.1f} "
      "%; a reference takes {:.1f} cycles instead of {:.1f}.",
      memory.name, unit.name, change(x.references, y.references), change(x.longwords, y.longwords),
      y.active_pct, x.active_pct, y.latency_cycles.mean, x.latency_cycles.mean);
}

std::string ranked_text(const std::string& title, const std::vector<Ranked>& ranked,
                        std::size_t most) {
  std::string text = "\n" + heading(title);
  if (ranked.empty())
    return text + "  no difference\n";
  text += fmt::format("{:>11} {:>11} {:>11}\n", "difference", "before", "after");
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
    const Ranked& row = ranked[i];
    text += fmt::format("{:>+11.1f} {:>11.1f} {:>11.1f}  {}\n", row.difference(), row.before,
                        row.after, row.name);
  }
  if (ranked.size() > most)
    text += fmt::format("{:>35}  ... {} more\n", "", ranked.size() - most);
  return text;
}

std::vector<std::string> rate_sentences(const RunRecord& before, const RunRecord& after) {
  return {
      rate_sentence("Transmit",
                    packet_rate(before, before.packets.sent, before.first_start_cycle.transmit),
                    packet_rate(after, after.packets.sent, after.first_start_cycle.transmit)),
      rate_sentence("Receive",
                    packet_rate(before, before.packets.received, before.first_start_cycle.receive),
                    packet_rate(after, after.packets.received, after.first_start_cycle.receive))};
}

std::vector<std::string> memory_sentences(const RunRecord& before, const RunRecord& after) {
  const PacketShare unit = packet_share(before, after);
  std::vector<std::string> sentences;
  for (const MemoryName& memory : kMemories) {
    std::string sentence = memory_sentence(memory, before, after, unit);
    if (!sentence.empty())
      sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> difference_sentences(const RunRecord& before, const RunRecord& after) {
  std::vector<std::string> sentences = rate_sentences(before, after);
  for (const auto& more : {difference_causes(before, after), memory_sentences(before, after)})
    sentences.insert(sentences.end(), more.begin(), more.end());
  return sentences;
}

std::string render_difference(const RunRecord& before, const RunRecord& after,
                              const DifferenceOptions& options) {
  const PacketShare unit = packet_share(before, after);
  const std::vector<std::string> names = run_names({before, after});
  std::string text =
      heading(fmt::format("{} (after) compared with {} (before)", names[1], names[0]));
  const auto rates = rate_sentences(before, after);
  text += rates[0] + "\n" + rates[1] + "\n\n";
  if (const auto verdict = verdict_of(std::vector{before, after})) {
    for (const std::string& sentence : verdict->sentences)
      text += wrapped("", sentence, kRunWidth);
    text += "\n";
  }
  for (const std::string& sentence : memory_sentences(before, after))
    text += wrapped("", sentence, kRunWidth);
  for (const std::string& reason : difference_causes(before, after))
    text += "\n" + wrapped("", reason, kRunWidth);
  const auto rank = [&](const char* title,
                        const std::function<CyclesByName(const RunRecord&)>& sums) {
    text += ranked_text(fmt::format("{} per {}", title, unit.name),
                        ranking(sums(before), sums(after), unit), options.most_rows);
  };
  rank("Engines, cycles", engine_cycles);
  rank("Causes, engine cycles", cause_cycles);
  rank("Threads, cycles", waiting_cycles);
  rank("Source lines, cycles", line_cycles);
  rank("Source lines, longwords", line_longwords);
  return text;
}

}  // namespace nplab::reports
