#include "reports/analysis/difference_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "reports/analysis/causes.h"
#include "reports/analysis/line_names.h"
#include "reports/analysis/packet_share.h"
#include "reports/analysis/source_lines.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

constexpr double kWorthSaying = 0.05;      // longwords or cycles: what is printed with one decimal
constexpr double kEngineWorthSaying = 10;  // cycles a packet
constexpr double kNearlyAll = 95;          // percent of the time
constexpr std::size_t kLinesNamed = 3;
constexpr std::size_t kTextColumns = 48;
constexpr std::size_t kEnginesNamed = 4;

struct MemoryOf {
  const char* key;
  const char* name;
  MemoryRecord Memory::* unit;
  const char* amount;  // what is moved
  double longwords_each;
};
constexpr std::array<MemoryOf, 3> kMemoryUnits{
    {{"sram", "SRAM", &Memory::sram, "longwords", 1},
     {"sdram", "SDRAM", &Memory::sdram, "quadwords", 2},
     {"scratch", "scratch", &Memory::scratch, "longwords", 1}}};

// Something of a source line, a packet.
struct LineShare {
  std::string place;  // in the later run, if it is there
  std::string text;
  double before = 0;
  double after = 0;
  [[nodiscard]] double difference() const { return after - before; }
};

double count_named(const CountByName& counts, const std::string& name) {
  return static_cast<double>(count_of(counts, name));
}

double pair_difference(const std::pair<double, double>& figures) {
  return figures.second - figures.first;
}

std::string signed_amount(double amount) {
  return fmt::format("{:+.1f}", amount);
}

std::string more_or_less(double difference, const std::string& what) {
  return fmt::format("{:.1f} {} {}", std::abs(difference), difference < 0 ? "fewer" : "more", what);
}

class Reasons {
 public:
  Reasons(const RunRecord& before, const RunRecord& after)
      : before_(before),
        after_(after),
        share_(packet_share(before, after)),
        names_before_(before),
        names_after_(after) {}

  std::vector<std::string> sentences() {
    if (!before_.memory.sram.under_way || !after_.memory.sram.under_way)
      return {};
    const double rate_before = 1 / per_packet(before_), rate_after = 1 / per_packet(after_);
    slower_ = rate_after < rate_before ? &after_ : &before_;
    if (rate_before != rate_after)
      say_bound(rate_after < rate_before ? "falls" : "rises");
    for (const MemoryOf& memory : kMemoryUnits)
      if (&memory != bounding_memory_)
        say_memory(memory);
    say_engines();
    return std::move(sentences_);
  }

 private:
  using Amount = std::function<double(const Line&)>;

  [[nodiscard]] double per_packet(const RunRecord& record) const {
    return static_cast<double>(record.cycles.core) /
           (&record == &before_ ? share_.before : share_.after);
  }

  [[nodiscard]] std::pair<double, double> both(
      const std::function<double(const RunRecord&)>& figure) const {
    return {figure(before_) / share_.before, figure(after_) / share_.after};
  }

  // The lines that differ most, of either sign.
  [[nodiscard]] std::vector<LineShare> lines_by(const Amount& amount) const {
    std::map<std::string, LineShare> shares;
    for (const Line& line : before_.lines) {
      LineShare& share = shares[names_before_.of(line)];
      share.place = LineNames::place(line);
      share.text = names_before_.text(line);
      share.before += amount(line) / share_.before;
    }
    for (const Line& line : after_.lines) {
      LineShare& share = shares[names_after_.of(line)];
      share.place = LineNames::place(line);
      share.text = names_after_.text(line);
      share.after += amount(line) / share_.after;
    }
    std::vector<LineShare> ranked;
    for (auto& [name, share] : shares)
      if (std::abs(share.difference()) >= kWorthSaying)
        ranked.push_back(std::move(share));
    std::stable_sort(ranked.begin(), ranked.end(), [](const LineShare& x, const LineShare& y) {
      return std::abs(x.difference()) > std::abs(y.difference());
    });
    return ranked;
  }

  // ": +8.0 from FILE:LINE (text), ..." of the lines that differ most, ": " being the lead.
  [[nodiscard]] std::string sources(const Amount& amount, const char* lead = ": ",
                                    const char* preposition = "from") const {
    const auto ranked = lines_by(amount);
    std::string text;
    for (std::size_t i = 0; i < std::min(ranked.size(), kLinesNamed); ++i) {
      text += fmt::format("{}{} {} {}", i == 0 ? lead : ", ", signed_amount(ranked[i].difference()),
                          preposition, ranked[i].place);
      if (!ranked[i].text.empty())
        text += " (" + clipped(ranked[i].text, kTextColumns) + ")";
    }
    if (ranked.size() > kLinesNamed)
      text += fmt::format(", and {} more lines", ranked.size() - kLinesNamed);
    return text;
  }

  void say_bound(const char* change) {
    for (const MemoryOf& memory : kMemoryUnits)
      if ((slower_->memory.*memory.unit).active_pct >= kNearlyAll)
        bounding_memory_ = &memory;
    if (bounding_memory_ != nullptr)
      return say_bounding_memory(change);
    say_bounding_engine(change);
  }

  void say_bounding_memory(const char* change) {
    const MemoryOf& memory = *bounding_memory_;
    const auto active = both([&](const RunRecord& r) {
      return static_cast<double>((r.memory.*memory.unit).active_cycles);
    });
    sentences_.push_back(
        fmt::format("Transmit {} because {} bounds the {} run (its bus is busy for {:.1f} % of the "
                    "time), and each {} takes {} of it ({:.1f} instead of {:.1f}). {}",
                    change, memory.name, slower_ == &after_ ? "later" : "earlier",
                    (slower_->memory.*memory.unit).active_pct, share_.name,
                    more_or_less(pair_difference(active), "cycles"), active.second, active.first,
                    amount_sentence(memory)));
  }

  [[nodiscard]] std::string amount_sentence(const MemoryOf& memory) const {
    const auto moved = [&](const Line& line) {
      return count_named(line.longwords, memory.key) / memory.longwords_each;
    };
    const auto amount = both([&](const RunRecord& r) {
      double sum = 0;
      for (const Line& line : r.lines)
        sum += moved(line);
      return sum;
    });
    if (std::abs(pair_difference(amount)) < kWorthSaying && lines_by(moved).empty())
      return fmt::format("Each {} moves the same {:.1f} {}.", share_.name, amount.second,
                         memory.amount);
    return fmt::format("{} {} {} per {}, {:.1f} instead of {:.1f}{}.",
                       signed_amount(pair_difference(amount)), memory.name, memory.amount,
                       share_.name, amount.second, amount.first, sources(moved));
  }

  void say_memory(const MemoryOf& memory) {
    const auto moved = [&](const Line& line) { return count_named(line.longwords, memory.key); };
    if (!lines_by(moved).empty())
      sentences_.push_back(amount_sentence(memory));
  }

  // Cycles of an engine in which it did not poll for work and was not idle.
  static double working(const RunRecord& record, Count engine) {
    double sum = 0;
    for (const Line& line : record.lines)
      if (line.engine == engine && !line.poll)
        sum += static_cast<double>(busy_cycles(line));
    return sum;
  }

  void say_bounding_engine(const char* change) {
    const Engine* busiest = nullptr;
    for (const Engine& engine : slower_->engines)
      if (busiest == nullptr || working(*slower_, engine.id) > working(*slower_, busiest->id))
        busiest = &engine;
    if (busiest == nullptr)
      return;
    const double share =
        100 * working(*slower_, busiest->id) / static_cast<double>(slower_->cycles.core);
    const auto cycles = both([&](const RunRecord& r) { return working(r, busiest->id); });
    if (share < kNearlyAll || (pair_difference(cycles) > 0) != (slower_ == &after_))
      return;
    const auto busy = [&](const Line& line) {
      const bool counts = line.engine == busiest->id && !line.poll;
      return counts ? static_cast<double>(busy_cycles(line)) : 0;
    };
    sentences_.push_back(fmt::format(
        "Transmit {} because engine {} ({}) bounds the {} run (it is busy with work for {:.1f} % "
        "of the time), and each {} takes {} there{}.",
        change, busiest->id, busiest->role, slower_ == &after_ ? "later" : "earlier", share,
        share_.name, more_or_less(pair_difference(cycles), "cycles"), sources(busy)));
  }

  [[nodiscard]] static const Engine* find_engine(const RunRecord& record, Count id) {
    for (const Engine& engine : record.engines)
      if (engine.id == id)
        return &engine;
    return nullptr;
  }

  void say_engines() {
    std::vector<std::pair<double, std::string>> said;
    for (const Engine& engine : after_.engines) {
      const Engine* other = find_engine(before_, engine.id);
      if (other == nullptr || engine.words == 0)
        continue;
      say_state(*other, engine, "stalls for", "on ", stalled_parts(*other), stalled_parts(engine),
                said);
      say_state(*other, engine, "is idle for", "", idle_by_cause(*other), idle_by_cause(engine),
                said);
    }
    std::stable_sort(said.begin(), said.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    for (std::size_t i = 0; i < std::min(said.size(), kEnginesNamed); ++i)
      sentences_.push_back(said[i].second);
  }

  static std::map<std::string, double> stalled_parts(const Engine& engine) {
    std::map<std::string, double> parts;
    for (const auto& [cause, cycles] : engine.stalled_on)
      parts[cause] = static_cast<double>(cycles);
    return parts;
  }

  // The change of one state, its greatest part, and the lines that have it.
  void say_state(const Engine& before, const Engine& after, const std::string& verb,
                 const std::string& preposition, const std::map<std::string, double>& parts_before,
                 const std::map<std::string, double>& parts_after,
                 std::vector<std::pair<double, std::string>>& said) const {
    std::map<std::string, double> differences;
    double whole = 0;
    for (const auto& [cause, cycles] : parts_before)
      differences[cause] -= cycles / share_.before;
    for (const auto& [cause, cycles] : parts_after)
      differences[cause] += cycles / share_.after;
    for (const auto& [cause, difference] : differences)
      whole += difference;
    if (std::abs(whole) < kEngineWorthSaying)
      return;
    const auto greatest = std::max_element(
        differences.begin(), differences.end(), [whole](const auto& x, const auto& y) {
          return (whole < 0 ? -x.second : x.second) < (whole < 0 ? -y.second : y.second);
        });
    const bool stalls = verb == "stalls for";
    const std::string cause =
        stalls ? greatest->first : "its threads " + idle_phrase(greatest->first);
    std::string text = fmt::format("Engine {} ({}) {} {} per {}, {} of them {}{}", after.id,
                                   after.role, verb, more_or_less(whole, "cycles"), share_.name,
                                   signed_amount(greatest->second), preposition, cause);
    const std::string name = greatest->first;
    const Count id = before.id;
    const auto cycles = [name, id, stalls](const Line& line) {
      return line.engine == id ? count_named(stalls ? line.stalled_on : line.waiting_on, name) : 0;
    };
    text += stalls ? sources(cycles) : sources(cycles, "; they wait ", "after");
    said.emplace_back(std::abs(whole), text + ".");
  }

  const RunRecord& before_;
  const RunRecord& after_;
  PacketShare share_;
  LineNames names_before_;
  LineNames names_after_;
  const RunRecord* slower_ = nullptr;
  const MemoryOf* bounding_memory_ = nullptr;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> difference_causes(const RunRecord& before, const RunRecord& after) {
  return Reasons(before, after).sentences();
}

}  // namespace nplab::reports
