#include "simulator/match_engine/match_unit.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::simulator::match {

using isa::match::kMailboxAnswer;
using isa::match::kMailboxBytes;

namespace {

SramDevice::Answer refused(const char* what) {
  SramDevice::Answer answer;
  answer.fault = what;
  return answer;
}

}  // namespace

MatchDescription published_unit(unsigned channels, unsigned window) {
  MatchDescription unit;
  unit.dram.timing = dram::timing_of(dram::Speed::k2666, dram::Density::k8Gb, dram::Width::kX8);
  unit.dram.organization.channels = channels;
  unit.dram.controller.window = window;
  return unit;
}

MatchDescription description_of(const MatchUnitParameters& parameters) {
  MatchDescription unit = published_unit(parameters.channels, parameters.window);
  unit.clock_hz = parameters.clock_hz;
  unit.sessions = parameters.sessions;
  unit.load_queue = parameters.load_queue;
  unit.store_queue = parameters.store_queue;
  unit.collisions = parameters.collisions;
  unit.cache.lines = parameters.cache_lines;
  return unit;
}

isa::match::TableSize table_size(const MatchUnitParameters& parameters) {
  const std::uint64_t slots = std::uint64_t{1} << parameters.slot_bits;
  return {slots, parameters.collisions == isa::match::Collisions::kChain ? slots : 0};
}

MatchUnit::MatchUnit(const MatchUnitParameters& parameters, std::uint64_t core_hz,
                     const MatchContents& contents)
    : base_(parameters.base),
      request_latency_(parameters.request_latency),
      answer_latency_(parameters.answer_latency),
      ratio_(dram::ClockRatio::of(parameters.clock_hz, core_hz)),
      key_(contents.key),
      mailboxes_(isa::match::kMailboxes),
      engine_(description_of(parameters), contents.program, contents.tables, this, nullptr, *this) {
}

SramDevice::Answer MatchUnit::write(std::uint32_t address, std::span<const std::uint32_t> longwords,
                                    Cycle at) {
  run(at);
  const std::uint32_t offset = address - base_;
  const auto place = offset / kMailboxBytes;
  Mailbox& mailbox = mailboxes_[place];
  if (offset % kMailboxBytes != 0 || longwords.size() != key_.size())
    return refused(
        "writes to a mailbox of the match unit something else than a key, which begins "
        "there and has a longword for each field");
  if (mailbox.state == State::kPosted || (mailbox.state == State::kFound && mailbox.readable > at))
    return refused("writes a key to a mailbox of the match unit whose lookup has no answer yet");
  Request request;
  request.number = place;
  const std::vector<std::uint64_t> fields(longwords.begin(), longwords.end());
  request.rule.key = isa::match::pack(fields, key_);
  request.arrival = unit_cycle(at + 1 + request_latency_);
  posted_.push_back(request);
  mailbox = {State::kPosted, 0, at, Cycle::never()};
  ++counters_.posted;
  counters_.most_waiting = std::max(counters_.most_waiting, static_cast<unsigned>(posted_.size()));
  return {};
}

SramDevice::Answer MatchUnit::read(std::uint32_t address, std::span<std::uint32_t> longwords,
                                   Cycle at) {
  run(at);
  const std::uint32_t offset = address - base_;
  const Mailbox& mailbox = mailboxes_[offset / kMailboxBytes];
  longwords[0] = isa::match::kPending;
  if (offset % kMailboxBytes != kMailboxAnswer || longwords.size() != 1)
    return refused("reads from a mailbox of the match unit something else than its answer");
  if (mailbox.state == State::kUnused)
    return refused("reads from a mailbox of the match unit to which no key was written");
  if (mailbox.state == State::kPosted || mailbox.readable > at) {
    ++counters_.reads_in_vain;
    return {};
  }
  ++counters_.answers_read;
  longwords[0] = mailbox.answer;
  return {};
}

void MatchUnit::finished(const Result& result) {
  Mailbox& mailbox = mailboxes_[result.number];
  const bool matched = result.outcome == Outcome::kMatched;
  const auto end = static_cast<dram::Clock>(result.ended.number() + 1);
  mailbox.state = State::kFound;
  mailbox.answer = matched ? result.entry.action : isa::match::kNoRule;
  mailbox.readable = ratio_.cycle_from(end) + answer_latency_;
  ++counters_.answered;
  counters_.matched += matched ? 1 : 0;
  counters_.references += result.references;
  const Cycles latency = mailbox.readable - mailbox.posted;
  counters_.total_latency += latency;
  counters_.longest_latency = std::max(counters_.longest_latency, latency);
  if (!matched)
    return;
  if (result.entry.action >= answers_.size())
    answers_.resize(result.entry.action + std::size_t{1});
  RuleState& rule = answers_[result.entry.action];
  ++rule.packets;
  rule.last_seen = std::max(rule.last_seen, result.begun.number());
}

void MatchUnit::describe_waiting(std::vector<std::string>& lines) const {
  if (!posted_.empty())
    lines.push_back(fmt::format("match unit: {} keys wait for a session", posted_.size()));
  for (std::size_t place = 0; place < mailboxes_.size(); ++place)
    if (mailboxes_[place].state == State::kPosted)
      lines.push_back(fmt::format("match unit: mailbox {} has had no answer since cycle {}", place,
                                  mailboxes_[place].posted.number()));
  engine_.describe_waiting(lines);
}

void MatchUnit::hash(StateHash& hash) const {
  for (const Mailbox& mailbox : mailboxes_) {
    hash.add(static_cast<std::uint64_t>(mailbox.state));
    hash.add(mailbox.answer);
    hash.add(mailbox.posted);
    hash.add(mailbox.readable);
  }
  hash.add(posted_.size());
  for (const Request& request : posted_) {
    hash.add(request.number);
    hash.add(request.arrival);
    hash.add_all(request.rule.key);
  }
  hash.add_all(std::array<std::uint64_t, 6>{counters_.posted, counters_.answered, counters_.matched,
                                            counters_.answers_read, counters_.reads_in_vain,
                                            counters_.references});
  engine_.hash(hash);
}

std::uint64_t MatchUnit::settle() {
  constexpr Cycles kStride = 1'024;
  constexpr Cycles kMostWithoutProgress = 1'000'000;
  while ((!posted_.empty() || !engine_.is_idle()) &&
         engine_.without_progress() < kMostWithoutProgress)
    engine_.run(engine_.now() + kStride);
  std::vector<RuleState> found(answers_.size());
  for (const isa::match::Slot slot : engine_.slots()) {
    const Entry entry = engine_.rule(slot);
    if (entry.tuple == isa::match::kNoTuple)
      continue;
    if (entry.action >= found.size())
      found.resize(entry.action + std::size_t{1});
    found[entry.action].packets += entry.packets;
    found[entry.action].last_seen = std::max(found[entry.action].last_seen, entry.last_seen);
  }
  answers_.resize(found.size());
  std::uint64_t inexact = 0;
  for (std::size_t rule = 0; rule < found.size(); ++rule)
    inexact += found[rule] == answers_[rule] ? 0 : 1;
  return inexact;
}

}  // namespace nplab::simulator::match
