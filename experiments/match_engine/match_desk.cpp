#include "experiments/match_engine/match_desk.h"

#include <algorithm>
#include <numeric>

namespace nplab::experiments {

namespace match = simulator::match;
using match::RequestKind;
using simulator::Cycle;

namespace {

// So many deleted entries, or a quarter of the tables', are not inserted again at once.
constexpr std::size_t kMostDeleted = 64;

}  // namespace

MatchDesk::MatchDesk(const workloads::Workload& workload, const mappings::MatchTables& tables,
                     const MatchTraffic& traffic)
    : workload_(workload),
      tables_(tables),
      traffic_(traffic),
      packing_(workload.rules.fields()),
      expected_(workloads::reference_answers(workload)),
      ledger_(tables),
      matches_(traffic.update_percent == 0 ? 0 : workload.traffic.size()),
      random_(traffic.seed),
      left_(traffic.packets) {
  if (traffic.order == PacketOrder::kShuffled) {
    order_.resize(workload.traffic.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::shuffle(order_.begin(), order_.end(), random_);
  }
  draw_packet();
  if (traffic.update_percent != 0)
    draw_update();
}

std::vector<std::string> choice_words(PacketOrder /*order*/) {
  return {"recorded", "shuffled"};
}

std::size_t MatchDesk::index_of(std::uint64_t number) const {
  const std::size_t index = number % workload_.traffic.size();
  return order_.empty() ? index : order_[index];
}

double MatchDesk::share_taken() const {
  return static_cast<double>(taken_) / static_cast<double>(traffic_.packets);
}

std::uint32_t MatchDesk::bytes_of(std::size_t index) const {
  return static_cast<std::uint32_t>(workload_.traffic.packet(index).frame.size());
}

// A packet without a key matches no rule and is not looked up.
void MatchDesk::draw_packet() {
  while (left_ != 0) {
    const std::size_t index = index_of(packet_.number);
    const workloads::Packet& packet = workload_.traffic.packet(index);
    if (packet.key) {
      packet_.rule.key = packing_.pack(*packet.key);
      packet_.bytes = bytes_of(index);
      return;
    }
    --left_;
    ++packet_.number;
  }
}

Cycle MatchDesk::Packets::next() const {
  return desk_.left_ == 0 ? Cycle::never() : Cycle();
}

void MatchDesk::Packets::pop() {
  --desk_.left_;
  ++desk_.taken_;
  ++desk_.packet_.number;
  desk_.draw_packet();
}

Cycle MatchDesk::Updates::next() const {
  const std::uint64_t percent = desk_.traffic_.update_percent;
  const bool is_due = desk_.updates_taken_ * (100 - percent) < desk_.taken_ * percent;
  return is_due && desk_.update_ && desk_.left_ != 0 ? Cycle() : Cycle::never();
}

void MatchDesk::Updates::pop() {
  const auto entry = static_cast<EntryLedger::Number>(desk_.update_->number);
  ++desk_.updates_taken_;
  desk_.ledger_.begin_update(entry, desk_.update_->kind);
  desk_.draw_update();
}

// Inserts the entry that was deleted first, once enough are; else deletes an entry or reads its
// counters, in turn. Nothing where all are under way.
void MatchDesk::draw_update() {
  constexpr unsigned kMostTries = 16;
  update_.reset();
  if (deleted_.size() > std::min(kMostDeleted, ledger_.size() / 4) &&
      !ledger_.is_under_way(deleted_.front())) {
    update_ = update_of(deleted_.front(), RequestKind::kInsert);
    deleted_.pop_front();
    return;
  }
  for (unsigned i = 0; i < kMostTries && ledger_.size() != 0; ++i) {
    const auto entry = static_cast<EntryLedger::Number>(random_() % ledger_.size());
    if (!ledger_.is_in_force(entry) || ledger_.is_under_way(entry))
      continue;
    deleted_last_ = !deleted_last_;
    update_ = update_of(entry, deleted_last_ ? RequestKind::kErase : RequestKind::kReadState);
    if (deleted_last_)
      deleted_.push_back(entry);
    return;
  }
}

match::Request MatchDesk::update_of(EntryLedger::Number entry, RequestKind kind) const {
  Request request;
  request.kind = kind;
  request.number = entry;
  request.rule = tables_.entries[entry];
  return request;
}

void MatchDesk::finished(const match::Result& result) {
  if (result.kind == RequestKind::kLookup)
    check_lookup(result);
  else
    check_update(result);
}

void MatchDesk::check_lookup(const match::Result& result) {
  const std::size_t index = index_of(result.number);
  const bool matched = result.outcome == match::Outcome::kMatched;
  const bool is_counted = !matched || ledger_.count(result, bytes_of(index));
  if (!is_right(result, index) || !is_counted) {
    ++totals_.misclassified;
    totals_.first_misclassified =
        std::min(totals_.first_misclassified.value_or(result.number), result.number);
  }
  ++totals_.packets;
  totals_.matched += matched ? 1 : 0;
  totals_.references += result.references;
  totals_.latency += result.ended - result.begun;
  totals_.last = std::max(totals_.last, result.ended);
}

// Without updates the reference classifier's answer is the only right one.
bool MatchDesk::is_right(const match::Result& result, std::size_t index) {
  if (traffic_.update_percent == 0) {
    const auto& answer = expected_[index];
    const bool matched = result.outcome == match::Outcome::kMatched;
    return matched == answer.has_value() && (!answer || result.entry.action == answer->value());
  }
  auto& matches = matches_[index];
  if (!matches)
    matches = ledger_.matches(packing_.pack(*workload_.traffic.packet(index).key));
  const EntryLedger::Verdict verdict = ledger_.judge(*matches, result);
  totals_.contested += verdict == EntryLedger::Verdict::kRightForOne ? 1 : 0;
  return verdict != EntryLedger::Verdict::kWrong;
}

void MatchDesk::check_update(const match::Result& result) {
  const auto entry = static_cast<EntryLedger::Number>(result.number);
  totals_.wrong_updates += ledger_.end_update(entry, result) ? 0 : 1;
  ++(result.kind == RequestKind::kInsert  ? totals_.inserts
     : result.kind == RequestKind::kErase ? totals_.deletes
                                          : totals_.counter_reads);
  if (!update_)
    draw_update();
}

}  // namespace nplab::experiments
