// A memory as `nplab new unit` makes one, asked in phases: each answer comes `latency_ns` after its
// request, by an event of its own.
#include <cstring>
#include <string>
#include <vector>

#include <nplab/systemc/unit.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

class PhasedMemory : public nplab::systemc::Unit {
 public:
  PhasedMemory(const sc_core::sc_module_name& name, const nplab::systemc::UnitDescription& unit)
      : Unit(name), bytes_(unit.bytes) {
    const auto latency = unit.parameters.find("latency_ns");
    if (latency != unit.parameters.end())
      latency_ = sc_core::sc_time(std::stod(latency->second), sc_core::SC_NS);
    socket_.register_nb_transport_fw(this, &PhasedMemory::ask);
    socket_.register_transport_dbg(this, &PhasedMemory::move);
  }
  nplab::systemc::UnitSocket& socket() override { return socket_; }
  bool uses_phases() const override { return true; }

 private:
  tlm::tlm_sync_enum ask(tlm::tlm_generic_payload& one, tlm::tlm_phase& phase,
                         sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ)
      return tlm::TLM_ACCEPTED;
    one.acquire();
    answers_.notify(one, tlm::BEGIN_RESP, delay + latency_);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void answer(tlm::tlm_generic_payload& one, const tlm::tlm_phase& begin_resp) {
    move(one);
    one.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = begin_resp;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_->nb_transport_bw(one, phase, delay);
    one.release();
  }
  unsigned move(tlm::tlm_generic_payload& one) {
    unsigned char* const place = bytes_.data() + one.get_address();
    if (one.is_write())
      std::memcpy(place, one.get_data_ptr(), one.get_data_length());
    else
      std::memcpy(one.get_data_ptr(), place, one.get_data_length());
    return one.get_data_length();
  }

  tlm_utils::simple_target_socket<PhasedMemory> socket_{"socket"};
  tlm_utils::peq_with_cb_and_phase<PhasedMemory> answers_{this, &PhasedMemory::answer};
  std::vector<unsigned char> bytes_;
  sc_core::sc_time latency_{100, sc_core::SC_NS};
};

}  // namespace

NPLAB_UNIT(PhasedMemory)
