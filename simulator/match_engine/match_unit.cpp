#include "simulator/match_engine/match_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nplab::simulator::match {

using isa::match::kMailboxAnswer;
using isa::match::kMailboxBytes;

namespace {

SramDevice::Answer refused(const char* what) {
  SramDevice::Answer answer;
  answer.fault = what;
  return answer;
}

std::optional<RequestKind> kind_of(std::uint32_t command) {
  using isa::match::ServiceCommand;
  switch (static_cast<ServiceCommand>(command)) {
    case ServiceCommand::kInsert: return RequestKind::kInsert;
    case ServiceCommand::kReplace: return RequestKind::kReplace;
    case ServiceCommand::kErase: return RequestKind::kErase;
    case ServiceCommand::kRead: return RequestKind::kReadState;
  }
  return std::nullopt;
}

bool is_done_by(Outcome outcome) {
  return outcome == Outcome::kInserted || outcome == Outcome::kReplaced ||
         outcome == Outcome::kErased || outcome == Outcome::kRead;
}

std::array<std::uint32_t, isa::match::kServiceStateWords> longwords_of(const Entry& entry) {
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  return {high(entry.packets), low(entry.packets),    high(entry.bytes),
          low(entry.bytes),    high(entry.last_seen), low(entry.last_seen)};
}

// Whether an answer lies there, `offset` bytes from the first mailbox on.
bool is_answer(std::uint32_t offset) {
  return offset < isa::match::kService
             ? offset % kMailboxBytes == kMailboxAnswer
             : offset == isa::match::kService + isa::match::kServiceOutcome;
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
      engine_(description_, contents.program, contents.tables, this, &service_, *this) {}

bool MatchUnit::takes_write(std::uint32_t address, Cycle at) {
  run(at);
  if (is_service(address) || posted_.size() < request_queue_)
    return true;
  Mailbox& mailbox = mailbox_at(address);
  mailbox.post_since = mailbox.post_since.value_or(at);
  return false;
}

SramDevice::Answer MatchUnit::write(std::uint32_t address, std::span<const std::uint32_t> longwords,
                                    Cycle at) {
  run(at);
  if (is_service(address))
    return write_service(address - base_ - isa::match::kService, longwords, at);
  Mailbox& mailbox = mailbox_at(address);
  if ((address - base_) % kMailboxBytes != 0 || longwords.size() != key_.size() + 1)
    return refused(
        "writes to a mailbox of the match unit something else than a key, which begins there and "
        "has a longword for each field and one for the packet's length");
  if (mailbox.state != State::kUnused && !mailbox.is_answered(at))
    return refused("writes a key to a mailbox of the match unit whose lookup has no answer yet");
  if (mailbox.post_since) {
    ++counters_.posts_that_waited;
    counters_.post_wait += at - *mailbox.post_since;
  }
  Request request;
  request.number = (address - base_) / kMailboxBytes;
  const std::vector<std::uint64_t> fields(longwords.begin(), longwords.end() - 1);
  request.bytes = longwords.back();
  request.rule.key = isa::match::pack(fields, key_);
  request.arrival = unit_cycle(at + 1 + request_latency_);
  posted_.push_back(request);
  mailbox = {State::kPosted, 0, request.bytes, at, Cycle::never()};
  ++counters_.posted;
  counters_.most_waiting = std::max(counters_.most_waiting, static_cast<unsigned>(posted_.size()));
  return {};
}

SramDevice::Answer MatchUnit::write_service(unsigned offset,
                                            std::span<const std::uint32_t> longwords, Cycle at) {
  using isa::match::kKeyWords;
  if (service_.outcome.state == State::kPosted)
    return refused("writes to the match unit's service port before the last request has ended");
  isa::match::Entry& rule = service_.request.rule;
  if (offset == isa::match::kServiceRule && longwords.size() == kKeyWords + 2) {
    std::copy_n(longwords.begin(), kKeyWords, rule.key.begin());
    rule.action = longwords[kKeyWords];
    rule.priority = longwords[kKeyWords + 1];
    return {};
  }
  const std::optional<RequestKind> kind =
      offset == isa::match::kServiceCommand && longwords.size() == 1 ? kind_of(longwords[0] >> 16)
                                                                     : std::nullopt;
  if (!kind)
    return refused(
        "writes to the match unit's service port something else than a rule or a command");
  service_.request.kind = *kind;
  rule.tuple = static_cast<isa::match::TupleId>(longwords[0]);
  service_.request.arrival = unit_cycle(at + 1 + request_latency_);
  service_.pending = true;
  service_.outcome = {State::kPosted, 0, 0, at, Cycle::never()};
  return {};
}

SramDevice::Answer MatchUnit::read_rule_state(std::span<std::uint32_t> longwords, Cycle at) const {
  if (longwords.size() != isa::match::kServiceStateWords)
    return refused("reads a rule's state at the match unit's service port in parts");
  if (!service_.outcome.is_answered(at))
    return refused(
        "reads a rule's state at the match unit's service port before a request has ended");
  std::copy(service_.rule_state.begin(), service_.rule_state.end(), longwords.begin());
  return {};
}

bool MatchUnit::has_answer(std::uint32_t address, Cycle at) {
  run(at);
  return mailbox_at(address).is_answered(at);
}

SramDevice::Answer MatchUnit::read(std::uint32_t address, std::span<std::uint32_t> longwords,
                                   Cycle at) {
  run(at);
  if (address - base_ == isa::match::kService + isa::match::kServiceState)
    return read_rule_state(longwords, at);
  Mailbox& mailbox = mailbox_at(address);
  longwords[0] = isa::match::kNoRule;
  if (!is_answer(address - base_) || longwords.size() != 1)
    return refused("reads from a mailbox of the match unit something else than its answer");
  if (mailbox.state == State::kUnused)
    return refused("reads from a mailbox of the match unit to which no key was written");
  if (!mailbox.is_answered(at)) {
    if (mailbox.read_since)
      return refused("reads an answer of the match unit that is awaited already");
    mailbox.read_since = at;
    counters_.reads_that_waited += is_service(address) ? 0 : 1;
    Answer later;
    later.comes = Comes::kWhenAsked;
    return later;
  }
  longwords[0] = mailbox.answer;
  const auto waited_from = std::exchange(mailbox.read_since, std::nullopt);
  if (is_service(address))
    return {};
  counters_.read_wait += at - waited_from.value_or(at);
  ++counters_.answers_read;
  return {};
}

Cycle MatchUnit::readable_from(const Result& result) const {
  return ratio_.cycle_from(static_cast<dram::Clock>(result.ended.number() + 1)) + answer_latency_;
}

void MatchUnit::add_to(std::vector<RuleState>& rules, std::uint32_t rule, const RuleState& more) {
  if (rule >= rules.size())
    rules.resize(rule + std::size_t{1});
  rules[rule].add(more);
}

void MatchUnit::finished_update(const Result& result) {
  const bool is_done = is_done_by(result.outcome);
  Mailbox& outcome = service_.outcome;
  outcome.state = State::kFound;
  outcome.answer = is_done ? isa::match::kServiceDone : isa::match::kServiceRefused;
  outcome.readable = readable_from(result);
  service_.rule_state = longwords_of(result.entry);
  ++counters_.updates;
  counters_.updates_refused += is_done ? 0 : 1;
  if (result.outcome == Outcome::kErased || result.outcome == Outcome::kReplaced)
    add_to(gone_, result.entry.action,
           {result.entry.packets, result.entry.bytes, result.entry.last_seen});
}

void MatchUnit::finished(const Result& result) {
  if (result.kind != RequestKind::kLookup)
    return finished_update(result);
  Mailbox& mailbox = mailboxes_[result.number];
  const bool matched = result.outcome == Outcome::kMatched;
  mailbox.state = State::kFound;
  mailbox.answer = matched ? result.entry.action : isa::match::kNoRule;
  mailbox.readable = readable_from(result);
  ++counters_.answered;
  counters_.matched += matched ? 1 : 0;
  counters_.references += result.references;
  const Cycles latency = mailbox.readable - mailbox.posted;
  counters_.total_latency += latency;
  counters_.longest_latency = std::max(counters_.longest_latency, latency);
  counters_.matched_bytes += matched ? mailbox.bytes : 0;
  if (matched)
    add_to(answers_, result.entry.action, {1, mailbox.bytes, result.begun.number()});
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
  if (service_.outcome.state == State::kPosted)
    lines.push_back(fmt::format("match unit: the service port has had no outcome since cycle {}",
                                service_.outcome.posted.number()));
  for (std::size_t place = 0; place < mailboxes_.size(); ++place)
    describe_mailbox(place, lines);
  engine_.describe_waiting(lines);
}

void MatchUnit::Mailbox::add_to(StateHash& hash) const {
  hash.add(static_cast<std::uint64_t>(state));
  hash.add(answer);
  hash.add(bytes);
  hash.add(posted);
  hash.add(readable);
  hash.add(read_since.value_or(Cycle::never()));
  hash.add(post_since.value_or(Cycle::never()));
}

void MatchUnit::hash(StateHash& hash) const {
  for (const Mailbox& mailbox : mailboxes_)
    mailbox.add_to(hash);
  service_.outcome.add_to(hash);
  hash.add_all(service_.rule_state);
  hash.add(posted_.size());
  for (const Request& request : posted_) {
    hash.add(request.number);
    hash.add(request.arrival);
    hash.add_all(request.rule.key);
  }
  if (service_.pending)
    hash.add(service_.request.arrival);
  counters_.hash(hash);
  engine_.hash(hash);
}

std::uint64_t MatchUnit::settle() {
  constexpr Cycles kStride = 1'024;
  while ((!posted_.empty() || service_.pending || !engine_.is_idle()) &&
         engine_.without_progress() < kMostWithoutProgress)
    engine_.run(engine_.now() + kStride);
  std::vector<RuleState> found = gone_;
  for (const isa::match::Slot slot : engine_.slots()) {
    const Entry entry = engine_.rule(slot);
    if (entry.tuple != isa::match::kNoTuple)
      add_to(found, entry.action, {entry.packets, entry.bytes, entry.last_seen});
  }
  const std::size_t rules = std::max(found.size(), answers_.size());
  found.resize(rules);
  answers_.resize(rules);
  std::uint64_t inexact = 0;
  for (std::size_t rule = 0; rule < rules; ++rule)
    inexact += found[rule] == answers_[rule] ? 0 : 1;
  return inexact;
}

}  // namespace nplab::simulator::match
