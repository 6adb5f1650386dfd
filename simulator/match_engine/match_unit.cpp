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

isa::match::TableSize table_size(const MatchUnitParameters& parameters) {
  const std::uint64_t slots = std::uint64_t{1} << parameters.slot_bits;
  return {slots, parameters.collisions == isa::match::Collisions::kChain ? slots : 0};
}

MatchUnit::MatchUnit(const MatchUnitParameters& parameters, std::uint64_t core_hz,
                     const MatchContents& contents)
    : base_(parameters.base),
      request_latency_(parameters.request_latency),
      answer_latency_(parameters.answer_latency),
      request_queue_(parameters.request_queue),
      ratio_(dram::ClockRatio::of(parameters.clock_hz, core_hz)),
      description_(description_of(parameters)),
      key_(contents.key),
      mailboxes_(isa::match::kMailboxes),
      engine_(description_, contents.program, contents.tables, this, nullptr, *this) {}

bool MatchUnit::takes_write(std::uint32_t address, Cycle at) {
  run(at);
  if (posted_.size() < request_queue_)
    return true;
  Mailbox& mailbox = mailbox_at(address);
  mailbox.post_since = mailbox.post_since.value_or(at);
  return false;
}

SramDevice::Answer MatchUnit::write(std::uint32_t address, std::span<const std::uint32_t> longwords,
                                    Cycle at) {
  run(at);
  Mailbox& mailbox = mailbox_at(address);
  if ((address - base_) % kMailboxBytes != 0 || longwords.size() != key_.size())
    return refused(
        "writes to a mailbox of the match unit something else than a key, which begins "
        "there and has a longword for each field");
  if (mailbox.state != State::kUnused && !mailbox.is_answered(at))
    return refused("writes a key to a mailbox of the match unit whose lookup has no answer yet");
  if (mailbox.post_since) {
    ++counters_.posts_that_waited;
    counters_.post_wait += at - *mailbox.post_since;
  }
  Request request;
  request.number = (address - base_) / kMailboxBytes;
  const std::vector<std::uint64_t> fields(longwords.begin(), longwords.end());
  request.rule.key = isa::match::pack(fields, key_);
  request.arrival = unit_cycle(at + 1 + request_latency_);
  posted_.push_back(request);
  mailbox = {State::kPosted, 0, at, Cycle::never()};
  ++counters_.posted;
  counters_.most_waiting = std::max(counters_.most_waiting, static_cast<unsigned>(posted_.size()));
  return {};
}

bool MatchUnit::has_answer(std::uint32_t address, Cycle at) {
  run(at);
  return mailbox_at(address).is_answered(at);
}

SramDevice::Answer MatchUnit::read(std::uint32_t address, std::span<std::uint32_t> longwords,
                                   Cycle at) {
  run(at);
  Mailbox& mailbox = mailbox_at(address);
  longwords[0] = isa::match::kNoRule;
  if ((address - base_) % kMailboxBytes != kMailboxAnswer || longwords.size() != 1)
    return refused("reads from a mailbox of the match unit something else than its answer");
  if (mailbox.state == State::kUnused)
    return refused("reads from a mailbox of the match unit to which no key was written");
  if (!mailbox.is_answered(at)) {
    if (mailbox.read_since)
      return refused("reads an answer of the match unit that is awaited already");
    mailbox.read_since = at;
    ++counters_.reads_that_waited;
    Answer later;
    later.comes = Comes::kWhenAsked;
    return later;
  }
  if (mailbox.read_since) {
    counters_.read_wait += at - *mailbox.read_since;
    mailbox.read_since.reset();
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

void MatchUnit::describe_mailbox(std::size_t place, std::vector<std::string>& lines) const {
  const Mailbox& mailbox = mailboxes_[place];
  if (mailbox.post_since)
    lines.push_back(fmt::format("match unit: a key for mailbox {} waits for room since cycle {}",
                                place, mailbox.post_since->number()));
  if (mailbox.state != State::kPosted)
    return;
  lines.push_back(fmt::format("match unit: mailbox {} has had no answer since cycle {}{}", place,
                              mailbox.posted.number(),
                              mailbox.read_since ? ", and a read waits for it" : ""));
}

void MatchUnit::describe_waiting(std::vector<std::string>& lines) const {
  if (!posted_.empty())
    lines.push_back(fmt::format("match unit: {} keys wait for a session", posted_.size()));
  for (std::size_t place = 0; place < mailboxes_.size(); ++place)
    describe_mailbox(place, lines);
  engine_.describe_waiting(lines);
}

void MatchUnit::hash(StateHash& hash) const {
  for (const Mailbox& mailbox : mailboxes_) {
    hash.add(static_cast<std::uint64_t>(mailbox.state));
    hash.add(mailbox.answer);
    hash.add(mailbox.posted);
    hash.add(mailbox.readable);
    hash.add(mailbox.read_since.value_or(Cycle::never()));
    hash.add(mailbox.post_since.value_or(Cycle::never()));
  }
  hash.add(posted_.size());
  for (const Request& request : posted_) {
    hash.add(request.number);
    hash.add(request.arrival);
    hash.add_all(request.rule.key);
  }
  counters_.hash(hash);
  engine_.hash(hash);
}

std::uint64_t MatchUnit::settle() {
  constexpr Cycles kStride = 1'024;
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
