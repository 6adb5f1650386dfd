// A ternary CAM on the SRAM bus, as mappings/ternary-cam asks it (its layout.h).
//
//   nplab run tcam.yaml --chip ixp1200-tcam.yaml --unit tcam=./libtcam.so,latency_ns=60
//
// A key that is written is looked up at once; the answer is there `latency_ns` later, however many
// keys are on their way: a CAM is a pipeline.
#include <cstring>
#include <vector>

#include <nplab/systemc/unit.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

constexpr unsigned kSlotBytes = 32, kAnswer = 28, kCount = 512 * kSlotBytes;

class Tcam : public nplab::systemc::Unit {
 public:
  Tcam(const sc_core::sc_module_name& name, const nplab::systemc::UnitDescription& unit)
      : Unit(name), words_(unit.bytes / 4), ready_(kCount / kSlotBytes) {
    const auto latency = unit.parameters.find("latency_ns");
    if (latency != unit.parameters.end())
      latency_ = sc_core::sc_time(std::stod(latency->second), sc_core::SC_NS);
    socket_.register_b_transport(this, &Tcam::access);
    socket_.register_transport_dbg(this, &Tcam::move);
  }
  nplab::systemc::UnitSocket& socket() override { return socket_; }

 private:
  void access(tlm::tlm_generic_payload& one, sc_core::sc_time& delay) {
    const auto now = sc_core::sc_time_stamp() + delay;
    const auto slot = one.get_address() / kSlotBytes;
    const bool is_answer = one.is_read() && one.get_address() % kSlotBytes == kAnswer;
    if (slot < ready_.size() && is_answer && ready_[slot] > now)
      delay += ready_[slot] - now;
    const bool fits = move(one) == one.get_data_length();
    if (slot < ready_.size() && one.is_write()) {
      words_[(slot * kSlotBytes + kAnswer) / 4] = look_up(&words_[slot * kSlotBytes / 4]);
      ready_[slot] = now + latency_;
    }
    one.set_response_status(fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  std::uint32_t look_up(const std::uint32_t* key) const {
    const std::uint32_t* entry = &words_[kCount / 4];
    const std::uint32_t count = entry[0], fields = entry[1], none = entry[2];
    entry += 3;
    for (std::uint32_t i = 0; i < count; ++i, entry += 2 * fields + 1) {
      bool matches = true;
      for (std::uint32_t field = 0; field < fields; ++field)
        matches = matches && (key[field] & entry[2 * field + 1]) == entry[2 * field];
      if (matches)
        return entry[2 * fields];
    }
    return none;
  }
  unsigned move(tlm::tlm_generic_payload& one) {
    if (one.get_address() + one.get_data_length() > 4 * words_.size())
      return 0;
    auto* const place = reinterpret_cast<unsigned char*>(words_.data()) + one.get_address();
    if (one.is_write())
      std::memcpy(place, one.get_data_ptr(), one.get_data_length());
    else
      std::memcpy(one.get_data_ptr(), place, one.get_data_length());
    return one.get_data_length();
  }

  tlm_utils::simple_target_socket<Tcam> socket_{"socket"};
  std::vector<std::uint32_t> words_;
  std::vector<sc_core::sc_time> ready_;  // by slot: its answer
  sc_core::sc_time latency_{60, sc_core::SC_NS};
};

}  // namespace

NPLAB_UNIT(Tcam)
