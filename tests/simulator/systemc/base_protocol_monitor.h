// A module between an initiator and a target that checks the rules of TLM-2.0's base protocol
// (IEEE 1666-2011, clauses 11, 14 and 15) on everything that passes, in both directions.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

namespace nplab::test {

class BaseProtocolMonitor : public sc_core::sc_module {
 public:
  explicit BaseProtocolMonitor(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &BaseProtocolMonitor::b_transport);
    target.register_nb_transport_fw(this, &BaseProtocolMonitor::nb_transport_fw);
    target.register_transport_dbg(this, &BaseProtocolMonitor::transport_dbg);
    initiator.register_nb_transport_bw(this, &BaseProtocolMonitor::nb_transport_bw);
  }

  tlm_utils::simple_target_socket<BaseProtocolMonitor> target{"target"};
  tlm_utils::simple_initiator_socket<BaseProtocolMonitor> initiator{"initiator"};

  // Rules that were broken, as sentences.
  std::vector<std::string> broken;
  std::uint64_t transactions = 0;

 private:
  using Payload = tlm::tlm_generic_payload;

  void expect(bool holds, const std::string& rule) {
    if (!holds)
      broken.push_back(rule);
  }

  // What an initiator must have set before its first call.
  void check_request(const Payload& one) {
    ++transactions;
    expect(one.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           "initiator: the response status is not TLM_INCOMPLETE_RESPONSE before the call");
    expect(one.get_data_ptr() != nullptr || one.get_command() == tlm::TLM_IGNORE_COMMAND,
           "initiator: there is no data pointer");
    expect(one.get_data_length() > 0 || one.get_command() == tlm::TLM_IGNORE_COMMAND,
           "initiator: the data length is 0");
    expect(one.get_streaming_width() > 0, "initiator: the streaming width is 0");
    expect(one.get_byte_enable_ptr() == nullptr || one.get_byte_enable_length() > 0,
           "initiator: there are byte enables of length 0");
    expect(!one.is_dmi_allowed(), "initiator: the DMI hint is set before the call");
  }

  // What a target may not change.
  struct Request {
    explicit Request(const Payload& one)
        : command(one.get_command()),
          data(one.get_data_ptr()),
          length(one.get_data_length()),
          streaming(one.get_streaming_width()),
          enables(one.get_byte_enable_ptr()) {
      if (one.is_write())
        written.assign(data, data + length);
    }
    tlm::tlm_command command;
    unsigned char* data;
    unsigned length;
    unsigned streaming;
    unsigned char* enables;
    std::vector<unsigned char> written;
  };
  void check_response(const Payload& one, const Request& before) {
    expect(one.get_command() == before.command, "target: the command has changed");
    expect(one.get_data_ptr() == before.data, "target: the data pointer has changed");
    expect(one.get_data_length() == before.length, "target: the data length has changed");
    expect(one.get_streaming_width() == before.streaming,
           "target: the streaming width has changed");
    expect(one.get_byte_enable_ptr() == before.enables, "target: the byte enables have changed");
    expect(one.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
           "target: the response status is still TLM_INCOMPLETE_RESPONSE");
    expect(before.written.empty() ||
               std::equal(before.written.begin(), before.written.end(), one.get_data_ptr()),
           "target: the data of a write have changed");
  }

  void b_transport(Payload& one, sc_core::sc_time& delay) {
    check_request(one);
    expect(sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_METHOD_PROC_,
           "initiator: b_transport is called from a method process");
    const Request before(one);
    const sc_core::sc_time due = sc_core::sc_time_stamp() + delay;
    initiator->b_transport(one, delay);
    expect(sc_core::sc_time_stamp() + delay >= due,
           "target: the transaction returns before the time at which it was given");
    check_response(one, before);
  }

  unsigned transport_dbg(Payload& one) {
    const unsigned length = one.get_data_length();
    const unsigned done = initiator->transport_dbg(one);
    expect(done <= length, "target: a debug access transfers more than it was asked for");
    return done;
  }

  // A transaction under way by non-blocking transport.
  struct Exchange {
    Request request;
    tlm::tlm_phase phase;
    sc_core::sc_time at;  // of its latest phase, as annotated
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& one, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      check_request(one);
      expect(one.has_mm(), "initiator: a non-blocking transaction has no memory manager");
      expect(exchanges_.count(&one) == 0, "initiator: BEGIN_REQ comes twice");
      const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
      expect(!any_in(tlm::BEGIN_REQ) && at >= last_request_,
             "initiator: BEGIN_REQ comes before the END_REQ of another");
      exchanges_.insert_or_assign(&one, Exchange{Request(one), phase, at});
    } else {
      const auto known = exchanges_.find(&one);
      const bool is_answered = known != exchanges_.end() && known->second.phase == tlm::BEGIN_RESP;
      expect(phase == tlm::END_RESP && is_answered,
             "initiator: a phase comes that is neither BEGIN_REQ nor END_RESP after BEGIN_RESP");
    }
    return pass_on(one, phase, delay, "target",
                   [&] { return initiator->nb_transport_fw(one, phase, delay); });
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& one, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    check_backward(one, phase, delay);
    return pass_on(one, phase, delay, "initiator",
                   [&] { return target->nb_transport_bw(one, phase, delay); });
  }

  // A phase of the target's, by a call or as it returns from one.
  void check_backward(const Payload& one, const tlm::tlm_phase& phase,
                      const sc_core::sc_time& delay) {
    const auto known = exchanges_.find(const_cast<Payload*>(&one));
    if (known == exchanges_.end()) {
      expect(false, "target: a phase comes without a request");
      return;
    }
    Exchange& exchange = known->second;
    const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
    expect(at >= exchange.at, "target: a phase comes before the time of the one before");
    if (phase == tlm::END_REQ) {
      expect(exchange.phase == tlm::BEGIN_REQ, "target: END_REQ does not follow BEGIN_REQ");
    } else if (phase == tlm::BEGIN_RESP) {
      expect(exchange.phase == tlm::BEGIN_REQ || exchange.phase == tlm::END_REQ,
             "target: BEGIN_RESP comes twice");
      expect(!any_in(tlm::BEGIN_RESP), "target: BEGIN_RESP comes before the END_RESP of another");
      check_response(one, exchange.request);
    } else {
      expect(false, "target: a phase comes that is neither END_REQ nor BEGIN_RESP");
      return;
    }
    if (phase == tlm::END_REQ)
      last_request_ = std::max(last_request_, at);
    exchange.phase = phase;
    exchange.at = at;
  }

  [[nodiscard]] bool any_in(const tlm::tlm_phase& phase) const {
    return std::any_of(exchanges_.begin(), exchanges_.end(),
                       [&](const auto& one) { return one.second.phase == phase; });
  }

  // `callee` may end the transaction or go on with the next phase as it returns.
  template <class Call>
  tlm::tlm_sync_enum pass_on(Payload& one, tlm::tlm_phase& phase, sc_core::sc_time& delay,
                             const char* callee, Call call) {
    const tlm::tlm_phase given = phase;
    const tlm::tlm_sync_enum answer = call();
    const auto known = exchanges_.find(&one);
    if (known == exchanges_.end())
      return answer;
    const bool is_target = callee == std::string("target");
    if (is_target && answer == tlm::TLM_UPDATED) {
      check_backward(one, phase, delay);
    } else if (is_target && answer == tlm::TLM_COMPLETED && given == tlm::BEGIN_REQ) {
      check_response(one, known->second.request);
    }
    expect(answer != tlm::TLM_COMPLETED || is_target || given == tlm::BEGIN_RESP,
           "initiator: it completes a transaction that has no response");
    if (answer == tlm::TLM_COMPLETED || (is_target && given == tlm::END_RESP) ||
        (!is_target && answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
      exchanges_.erase(known);
    return answer;
  }

  std::map<Payload*, Exchange> exchanges_;
  sc_core::sc_time last_request_;  // when the latest request phase ended
};

}  // namespace nplab::test
