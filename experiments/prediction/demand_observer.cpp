#include "experiments/prediction/demand_observer.h"

#include <algorithm>

#include "experiments/prediction/code/code_ways.h"
#include "experiments/prediction/code/hand_overs.h"
#include "experiments/prediction/unit_service.h"
#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

using simulator::ContextState;

// The units are free in a profiling run, but the command bus and the FBI's registers are not: a
// wait that nothing delayed is among the shorter ones.
constexpr double kFreeWaitQuantile = 0.25;

// That a word refers to.
std::optional<std::size_t> unit_of_word(std::uint64_t word) {
  const auto instruction = isa::decode(word);
  if (!instruction || !is_memory_reference(*instruction))
    return std::nullopt;
  return unit_of(instruction->completes_in);
}

void add_one(std::vector<std::pair<std::uint32_t, double>>& counts, std::uint32_t word,
             double times) {
  const auto at = std::find_if(counts.begin(), counts.end(),
                               [word](const auto& count) { return count.first == word; });
  if (at == counts.end())
    counts.emplace_back(word, times);
  else
    at->second += times;
}

bool contains(const std::vector<std::uint32_t>& words, std::uint32_t word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void DemandObserver::Tally::add(const Tally& other) {
  cycles += other.cycles;
  aborted += other.aborted;
  dispatches += other.dispatches;
  burst_squares += other.burst_squares;
  for (const auto& [word, times] : other.references)
    add_one(references, word, times);
  for (const auto& [word, times] : other.joined)
    add_one(joined, word, times);
  for (const auto& [word, times] : other.waits)
    add_one(waits, word, times);
}

DemandObserver::DemandObserver(const Experiment& experiment,
                               const std::vector<CompiledProgram>& programs,
                               const std::vector<CodeParts>& parts)
    : experiment_(experiment) {
  const unsigned engines = experiment.chip.engine.engines;
  parts_.resize(engines);
  uses_.resize(engines);
  units_.resize(engines);
  lines_.resize(engines);
  hand_overs_.resize(engines);
  threads_.assign(engines, std::vector<Thread>(experiment.chip.engine.contexts));
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const CompiledProgram& program = programs[i];
    const unsigned engine = program.composed.engine;
    parts_.at(engine) = &parts.at(i);
    uses_[engine] = word_uses(program.image);
    for (const std::uint64_t word : program.image.words)
      units_[engine].push_back(unit_of_word(word));
    lines_[engine] = program.image.lines;
    hand_overs_[engine] = hand_overs(program.image);
  }
  for (std::size_t s = 0; s < experiment.placement().stages.size(); ++s) {
    for (const auto place : experiment.placement().stages[s].threads) {
      Thread& thread = threads_.at(place.engine).at(place.context);
      thread.stage = s;
      thread.runs = true;
      thread.sums = &sums_of(s, thread.part);
      thread.words = &words_[{place.engine, s}];
      thread.words->resize(units_.at(place.engine).size());
    }
  }
}

DemandObserver::Tally& DemandObserver::tally(Thread& thread) {
  // A pause lasts as long as it is said to, whatever is executed meanwhile.
  if (!thread.visits || thread.part.kind == PartKind::kPause)
    return thread.sums->needed;
  return thread.look ? thread.current : thread.before_look;
}

void DemandObserver::count(Thread& thread, std::uint32_t word, double WordCount::* what) {
  Tally& sum = tally(thread);
  if (&sum == &thread.sums->needed)
    thread.words->at(word).*what += 1;
  else
    sum.words.emplace_back(word, what);
}

void DemandObserver::count_try(const Tally& of, Thread& thread) {
  for (const auto& [word, what] : of.words)
    thread.words->at(word).*what += 1;
}

void DemandObserver::begin_visit(Thread& thread, bool puts) {
  thread.visits = true;
  thread.puts = puts;
  thread.visit_part = thread.part;
  thread.look.reset();
  thread.before_look = {};
  thread.current = {};
  thread.tried.clear();
}

// The last try succeeded.
void DemandObserver::end_visit(Thread& thread) {
  Sums& sums = sums_of(thread.stage, thread.visit_part);
  sums.needed.add(thread.before_look);
  sums.needed.add(thread.current);
  count_try(thread.before_look, thread);
  count_try(thread.current, thread);
  thread.visits = false;
}

// In vain: another one begins.
void DemandObserver::end_try(Thread& thread) {
  Sums& sums = sums_of(thread.stage, thread.visit_part);
  sums.vain.add(thread.current);
  sums.vain_tries += 1;
  thread.current = {};
  thread.tried.clear();
}

// The compiler may have peeled the first round off a loop: a look is its source line.
bool DemandObserver::is_same_look(unsigned engine, std::uint32_t look, std::uint32_t word) const {
  if (look == word)
    return true;
  const auto& lines = lines_[engine];
  return units_[engine][word] && std::max(look, word) < lines.size() && lines[word].line != 0 &&
         lines[word].line == lines[look].line && lines[word].file == lines[look].file;
}

// A thread executes a word: which part that is, and whether a visit or a try begins or ends.
void DemandObserver::enter(Thread& thread, unsigned engine, std::uint32_t word) {
  const CodePart part = parts_[engine]->part_of(word, thread.stage, thread.part);
  if (part != thread.part) {
    thread.part = part;
    thread.sums = &sums_of(thread.stage, part);
  }
  const WordUse use = word < uses_[engine].size() ? uses_[engine][word] : WordUse::kUseful;
  const bool is_put = part.kind == PartKind::kPut;
  const bool stays_in_put = thread.puts && is_put && part == thread.visit_part;
  if (thread.visits && use == WordUse::kUseful && !stays_in_put)
    end_visit(thread);
  // A stage that joins takes from each queue in turn; another looks at one after the other.
  const bool takes_next = thread.visits && !thread.puts && part.kind == PartKind::kGet &&
                          thread.visit_part.kind == PartKind::kGet && part != thread.visit_part;
  if (takes_next && experiment_.placement().stages[thread.stage].joins)
    end_visit(thread);
  // After a put a thread looks for work at once.
  const bool looks_for_work = part.kind == PartKind::kGet || part.kind == PartKind::kReceive;
  if (thread.visits && thread.puts && looks_for_work)
    end_visit(thread);
  thread.counts = true;
  if (!thread.visits) {
    if (use == WordUse::kUseful && !is_put)
      return;
    begin_visit(thread, is_put);
  }
  if (part.kind == PartKind::kGet && !thread.puts)
    thread.visit_part = part;
  if (part.kind == PartKind::kPause)
    return;
  if (thread.look && is_same_look(engine, *thread.look, word))
    end_try(thread);
  if (!thread.look && units_[engine][word] && use != WordUse::kLockSpin) {
    thread.look = word;
    thread.tried.clear();
  }
  // Whoever waits for a turn or a lock goes round in one try; unprinted work goes round, too.
  thread.counts = part.kind == PartKind::kWork || !contains(thread.tried, word);
  if (thread.counts)
    thread.tried.push_back(word);
}

void DemandObserver::slot(const simulator::EngineSlot& slot) {
  Thread& at = thread(slot.thread);
  if (!at.runs || slot.state == ContextState::kStalled)
    return;
  const unsigned engine = slot.thread.engine.index();
  const bool executes = slot.state == ContextState::kExecuting;
  if (executes)
    enter(at, engine, slot.word);
  if (executes) {
    for (const CodePart& operation : hand_overs_[engine][slot.word])
      sums_of(at.stage, operation).hand_overs += 1;
  }
  if (!at.counts) {
    if (at.part.kind != PartKind::kPause)
      at.spin += 1;
    return;
  }
  Tally& sum = tally(at);
  sum.cycles += 1;
  sum.aborted += executes ? 0 : 1;
  count(at, slot.word, executes ? &WordCount::executed : &WordCount::aborted);
  at.burst += 1;
  if (const auto unit = units_[engine][slot.word]; executes && unit) {
    add_one(sum.references, word_of(engine, slot.word), 1);
    if (at.refers[*unit])
      add_one(sum.joined, word_of(engine, slot.word), 1);
    at.refers[*unit] = true;
  }
}

void DemandObserver::context_changed(const simulator::ContextChange& change) {
  Thread& at = thread(change.thread);
  if (!at.runs)
    return;
  const bool yields =
      change.state == ContextState::kReady || change.state == ContextState::kWaiting;
  if (yields)
    at.refers = {};
  if (yields && at.spin > 0) {
    Tally& spins = sums_of(at.stage, {PartKind::kSpin, 0}).needed;
    spins.cycles += at.spin;
    spins.dispatches += 1;
    at.spin = 0;
  }
  if (yields && at.burst > 0) {
    Tally& sum = tally(at);
    sum.dispatches += 1;
    sum.burst_squares += at.burst * at.burst;
    at.burst = 0;
  }
  if (change.state == ContextState::kWaiting) {
    if (!at.waits) {
      at.waits = true;
      at.wait_word = word_of(change.thread.engine.index(), change.word);
      at.wait_from = change.at;
      if (at.counts) {
        add_one(tally(at).waits, at.wait_word, 1);
        count(at, change.word, &WordCount::waits);
      }
    }
  } else if (at.waits) {
    at.waits = false;
    wait_cycles_[at.wait_word].push_back(static_cast<std::uint32_t>(change.at - at.wait_from));
  }
}

void DemandObserver::reference(const simulator::TracedReference& reference) {
  Reference& sum = references_[word_of(reference.thread.engine.index(), reference.word)];
  const UnitDemand service = service_of(experiment_.chip, reference.operation, reference.longwords);
  sum.unit = unit_of(reference.unit);
  sum.count += 1;
  sum.sum.references += service.references;
  sum.sum.bus_cycles += service.bus_cycles;
  sum.sum.writes += service.writes;
  sum.locks = reference.operation == isa::Operation::kSramReadLock;
  if (sum.unit == kSdram) {
    const std::uint32_t bank = reference.address >> experiment_.chip.sdram.bank_select_bit & 1;
    sdram_references_ += 1;
    same_bank_ += last_bank_ == bank ? 1 : 0;
    last_bank_ = bank;
  }
}

const std::vector<WordCount>& DemandObserver::words_needed(unsigned engine,
                                                           std::size_t stage) const {
  return words_.at({engine, stage});
}

double DemandObserver::same_bank_share() const {
  return sdram_references_ == 0 ? 0 : same_bank_ / sdram_references_;
}

double DemandObserver::free_wait(Word word) const {
  const auto known = free_waits_.find(word);
  if (known != free_waits_.end())
    return known->second;
  double wait = 0;
  const auto found = wait_cycles_.find(word);
  if (found != wait_cycles_.end() && !found->second.empty()) {
    auto cycles = found->second;
    const auto rank = kFreeWaitQuantile * static_cast<double>(cycles.size());
    const auto at = cycles.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(cycles.begin(), at, cycles.end());
    wait = *at;
  }
  const auto reference = references_.find(word);
  if (reference != references_.end() && reference->second.locks)
    wait = std::min(wait, free_latency(experiment_.chip, kSram));
  return free_waits_[word] = wait;
}

Demand DemandObserver::demand_of(const Tally& tally) const {
  Demand demand;
  demand.cycles = tally.cycles;
  demand.aborted = tally.aborted;
  demand.dispatches = tally.dispatches;
  demand.burst_squares = tally.burst_squares;
  for (const auto& [word, times] : tally.waits)
    demand.delay += times * free_wait(word);
  for (const auto& [word, times] : tally.joined) {
    if (const auto found = references_.find(word); found != references_.end())
      demand.units[found->second.unit].joined += times;
  }
  for (const auto& [word, times] : tally.references) {
    const auto found = references_.find(word);
    if (found == references_.end())
      continue;
    const Reference& of = found->second;
    UnitDemand& sum = demand.units[of.unit];
    sum.references += times * of.sum.references / of.count;
    sum.bus_cycles += times * of.sum.bus_cycles / of.count;
    sum.writes += times * of.sum.writes / of.count;
  }
  return demand;
}

std::map<StagePart, PartDemands> DemandObserver::demands() const {
  std::map<StagePart, PartDemands> demands;
  for (const auto& [part, sums] : sums_)
    demands[part] = {demand_of(sums.needed), sums.hand_overs, demand_of(sums.vain),
                     sums.vain_tries};
  return demands;
}

}  // namespace nplab::experiments
