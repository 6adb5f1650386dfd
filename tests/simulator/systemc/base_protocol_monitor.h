// A module between an initiator and a target that checks the rules of TLM-2.0's base protocol
// (IEEE 1666-2011, clauses 11, 14 and 15) on everything that passes, in both directions.
#pragma once

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

  tlm::tlm_sync_enum nb_transport_fw(Payload& one, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      check_request(one);
      expect(one.has_mm(), "initiator: a non-blocking transaction has no memory manager");
      expect(phases_.emplace(&one, phase).second, "initiator: BEGIN_REQ comes twice");
    } else {
      expect(
          phase == tlm::END_RESP && phases_.count(&one) == 1 && phases_.at(&one) == tlm::BEGIN_RESP,
          "initiator: a phase comes that is neither BEGIN_REQ nor END_RESP after BEGIN_RESP");
    }
    return pass_on(one, phase, [&] { return initiator->nb_transport_fw(one, phase, delay); });
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& one, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const auto known = phases_.find(&one);
    expect(known != phases_.end(), "target: a response comes without a request");
    expect(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP,
           "target: a phase comes that is neither END_REQ nor BEGIN_RESP");
    if (phase == tlm::BEGIN_RESP)
      expect(one.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
             "target: the response status is still TLM_INCOMPLETE_RESPONSE");
    if (known != phases_.end())
      known->second = phase;
    return pass_on(one, phase, [&] { return target->nb_transport_bw(one, phase, delay); });
  }

  template <class Call>
  tlm::tlm_sync_enum pass_on(Payload& one, tlm::tlm_phase& phase, Call call) {
    const bool ends = phase == tlm::END_RESP;
    const tlm::tlm_sync_enum answer = call();
    if (answer == tlm::TLM_COMPLETED || ends)
      phases_.erase(&one);
    else if (answer == tlm::TLM_UPDATED)
      phases_[&one] = phase;
    return answer;
  }

  std::map<Payload*, tlm::tlm_phase> phases_;
};

}  // namespace nplab::test
