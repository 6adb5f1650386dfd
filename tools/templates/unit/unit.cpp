// @name@: a unit on the chip's SRAM bus. As it stands it is a memory with a latency of its own.
//
// A reference of an engine comes as a blocking transaction: its address counts from the beginning
// of the unit's range, its data are 1 to 8 longwords. What is added to `delay` is the unit's
// latency. What the chip's program puts into the range comes by debug transport.
#include <cstring>
#include <vector>

#include <nplab/systemc/unit.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

class Unit : public nplab::systemc::Unit {
 public:
  Unit(const sc_core::sc_module_name& name, const nplab::systemc::UnitDescription& unit)
      : nplab::systemc::Unit(name), bytes_(unit.bytes) {
    const auto latency = unit.parameters.find("latency_ns");
    if (latency != unit.parameters.end())
      latency_ = sc_core::sc_time(std::stod(latency->second), sc_core::SC_NS);
    socket_.register_b_transport(this, &Unit::access);
    socket_.register_transport_dbg(this, &Unit::move);
  }
  nplab::systemc::UnitSocket& socket() override { return socket_; }

 private:
  void access(tlm::tlm_generic_payload& one, sc_core::sc_time& delay) {
    const bool fits = move(one) == one.get_data_length();
    delay += latency_;
    one.set_response_status(fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  unsigned move(tlm::tlm_generic_payload& one) {
    const auto address = one.get_address();
    const unsigned length = one.get_data_length();
    if (address + length > bytes_.size())
      return 0;
    if (one.is_write())
      std::memcpy(&bytes_[address], one.get_data_ptr(), length);
    else
      std::memcpy(one.get_data_ptr(), &bytes_[address], length);
    return length;
  }

  tlm_utils::simple_target_socket<Unit> socket_{"socket"};
  std::vector<unsigned char> bytes_;
  sc_core::sc_time latency_{50, sc_core::SC_NS};
};

}  // namespace

NPLAB_UNIT(Unit)
