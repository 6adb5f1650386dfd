#include "simulator/systemc/phased_device.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "simulator/systemc/report.h"

namespace nplab::systemc {

using simulator::Cycle;

// A transaction with its data. The module may keep it longer than the chip (acquire).
class PhasedDevice::Exchange : public tlm::tlm_generic_payload {
 public:
  Exchange(Ticket number, Cycle in_cycle, const sc_core::sc_time& when)
      : tlm_generic_payload(&memory_manager()), ticket(number), at(in_cycle), asked(when) {
    set_extension(new BusOccupancy);
  }

  Ticket ticket;
  Cycle at;                // in which the unit chose the reference
  sc_core::sc_time asked;  // when that is
  Stage stage = Stage::kRequested;
  bool is_reported = false;
  std::array<std::uint32_t, 8> data{};
  unsigned longwords = 0;

 private:
  struct MemoryManager : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload* transaction) override {
      delete static_cast<Exchange*>(transaction);
    }
  };
  static MemoryManager& memory_manager() {
    static MemoryManager manager;
    return manager;
  }
};

PhasedDevice::~PhasedDevice() {
  for (const auto& [ticket, exchange] : exchanges_)
    exchange->release();
}

simulator::SramDevice::Answer PhasedDevice::read(std::uint32_t address,
                                                 std::span<std::uint32_t> longwords, Cycle at) {
  std::fill(longwords.begin(), longwords.end(), 0);
  return begin(tlm::TLM_READ_COMMAND, address, longwords, at);
}

simulator::SramDevice::Answer PhasedDevice::write(std::uint32_t address,
                                                  std::span<const std::uint32_t> longwords,
                                                  Cycle at) {
  std::array<std::uint32_t, 8> copy{};
  const auto sent = std::span(copy).first(longwords.size());
  std::copy(longwords.begin(), longwords.end(), sent.begin());
  return begin(tlm::TLM_WRITE_COMMAND, address, sent, at);
}

simulator::SramDevice::Answer PhasedDevice::begin(tlm::tlm_command command, std::uint32_t address,
                                                  std::span<std::uint32_t> longwords, Cycle at) {
  sc_core::sc_time delay = clock_.until(at);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  auto* const exchange = new Exchange(++tickets_, at, now + delay);
  exchange->acquire();
  exchanges_[exchange->ticket] = exchange;
  std::copy(longwords.begin(), longwords.end(), exchange->data.begin());
  set(*exchange, command, address, std::span(exchange->data).first(longwords.size()));
  overdue_.notify(delay + answer_limit_);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const tlm::tlm_sync_enum sync = socket_->nb_transport_fw(*exchange, phase, delay);
  if (sync == tlm::TLM_COMPLETED)
    return answered_at_once(*exchange, now + delay, longwords);
  if (sync == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    phase = tlm::END_RESP;
    sc_core::sc_time end = delay;
    socket_->nb_transport_fw(*exchange, phase, end);
    return answered_at_once(*exchange, now + delay, longwords);
  }
  Answer answer;
  answer.comes = Comes::kByNotice;
  answer.ticket = exchange->ticket;
  if (const auto* occupancy = exchange->get_extension<BusOccupancy>(); occupancy->is_set)
    answer.occupancy = clock_.rounded_up(occupancy->held);
  if (sync == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    exchange->stage = Stage::kTaken;
    answer.taken = cycle_of(*exchange, now + delay);
  } else if (sync == tlm::TLM_UPDATED) {
    report_phase(*exchange, phase, "END_REQ or BEGIN_RESP follows BEGIN_REQ");
  }
  return answer;
}

simulator::SramDevice::Answer PhasedDevice::answered_at_once(Exchange& exchange,
                                                             const sc_core::sc_time& when,
                                                             std::span<std::uint32_t> longwords) {
  check_response(exchange);
  if (when < exchange.asked)
    report_early(exchange, exchange.asked, when);
  Answer answer;
  answer.latency = when < exchange.asked ? 0 : clock_.rounded_up(when - exchange.asked);
  if (const auto* occupancy = exchange.get_extension<BusOccupancy>(); occupancy->is_set)
    answer.occupancy = clock_.rounded_up(occupancy->held);
  std::copy_n(exchange.data.begin(), longwords.size(), longwords.begin());
  std::erase_if(facts_, [&](const Fact& fact) { return fact.ticket == exchange.ticket; });
  release(exchange.ticket);
  return answer;
}

tlm::tlm_sync_enum PhasedDevice::respond(tlm::tlm_generic_payload& transaction,
                                         tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const auto known = std::find_if(exchanges_.begin(), exchanges_.end(),
                                  [&](const auto& one) { return one.second == &transaction; });
  if (known == exchanges_.end() || known->second->stage == Stage::kAnswered) {
    report_phase(transaction, phase, "the chip awaits nothing of this transaction");
    return tlm::TLM_COMPLETED;
  }
  Exchange& exchange = *known->second;
  const sc_core::sc_time when = sc_core::sc_time_stamp() + delay;
  if (phase == tlm::END_REQ && exchange.stage == Stage::kRequested) {
    take(exchange, Stage::kTaken, when);
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) {
    report_phase(transaction, phase, "END_REQ comes once, then BEGIN_RESP");
    return tlm::TLM_ACCEPTED;
  }
  check_response(exchange);
  if (exchange.stage == Stage::kRequested)  // the answer implies that the request was taken
    take(exchange, Stage::kTaken, when);
  take(exchange, Stage::kAnswered, when);
  return tlm::TLM_COMPLETED;
}

void PhasedDevice::take(Exchange& exchange, Stage stage, const sc_core::sc_time& when) {
  if (when < exchange.asked && stage == Stage::kAnswered)
    report_early(exchange, exchange.asked, when);
  exchange.stage = stage;
  facts_.push_back({cycle_of(exchange, when), stage, exchange.ticket, exchange.data,
                    exchange.get_data_length() / kWordBytes});
}

Cycle PhasedDevice::cycle_of(const Exchange& exchange, const sc_core::sc_time& when) const {
  return std::max(exchange.at, clock_.first_from(when));
}

void PhasedDevice::deliver(Cycle now, simulator::SramUnit& unit) {
  const auto is_due = [now](const Fact& fact) { return fact.at + 2 <= now; };
  const auto undue = std::stable_partition(facts_.begin(), facts_.end(), is_due);
  std::vector<Fact> due(facts_.begin(), undue);
  facts_.erase(facts_.begin(), undue);
  std::stable_sort(due.begin(), due.end(),
                   [](const Fact& one, const Fact& other) { return one.at < other.at; });
  for (const Fact& fact : due) {
    if (fact.stage == Stage::kTaken) {
      unit.request_taken(fact.at);
      continue;
    }
    unit.answered(*this, fact.ticket, std::span(fact.data).first(fact.longwords), fact.at);
    release(fact.ticket);
  }
}

void PhasedDevice::release(Ticket ticket) {
  exchanges_.at(ticket)->release();
  exchanges_.erase(ticket);
}

void PhasedDevice::report_phase(const tlm::tlm_generic_payload& transaction,
                                const tlm::tlm_phase& phase, const char* rule) const {
  warn(socket_.name(), fmt::format("{}: the module's phase {} breaks the base protocol: {}",
                                   transaction_text(transaction), phase.get_name(), rule));
}

void PhasedDevice::report_if_overdue() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  for (const auto& [ticket, exchange] : exchanges_) {
    if (exchange->stage == Stage::kAnswered || exchange->is_reported)
      continue;
    const sc_core::sc_time limit = exchange->asked + answer_limit_;
    if (now < limit) {
      overdue_.notify(limit - now);
      return;
    }
    exchange->is_reported = true;
    warn(socket_.name(),
         fmt::format("{} has had no answer for {}: no BEGIN_RESP comes from the module",
                     transaction_text(*exchange), answer_limit_.to_string()));
  }
}

}  // namespace nplab::systemc
