// A module of the user's on the chip's SRAM bus: at a socket of the user's own platform, or loaded
// by `nplab run --unit NAME=FILE.so`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <systemc>
#include <tlm>

namespace nplab::systemc {

// An ignorable extension of the transactions at an SRAM device socket. The annotated delay is the
// device's latency; a device that also holds the bus for another time than a reference to memory
// says so here.
struct BusOccupancy : tlm::tlm_extension<BusOccupancy> {
  bool is_set = false;
  sc_core::sc_time held = sc_core::SC_ZERO_TIME;

  void hold(const sc_core::sc_time& time) {
    is_set = true;
    held = time;
  }
  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new BusOccupancy(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const BusOccupancy&>(other);
  }
};

// What a unit is told when it is made.
struct UnitDescription {
  std::string name;                               // as in the chip file
  std::uint32_t bytes = 0;                        // of its range
  std::map<std::string, std::string> parameters;  // of --unit NAME=FILE.so,KEY=VALUE,...
};

using UnitSocket =
    tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

class Unit : public sc_core::sc_module {
 public:
  virtual UnitSocket& socket() = 0;
  // Whether it is asked in phases (Chip::use_phases). Its socket must have non-blocking transport:
  // the adapter for blocking transport has no END_REQ, and the bus is held until it answers.
  [[nodiscard]] virtual bool uses_phases() const { return false; }

 protected:
  explicit Unit(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace nplab::systemc

// What a library with a unit exports; the number is that of this header's interface.
#define NPLAB_MAKE_UNIT nplab_make_unit_2
extern "C" nplab::systemc::Unit* NPLAB_MAKE_UNIT(const char* name,
                                                 const nplab::systemc::UnitDescription& unit);

// In one source file of the library: `Type` has a constructor of a name and a UnitDescription.
#define NPLAB_UNIT(Type)                                                               \
  nplab::systemc::Unit* NPLAB_MAKE_UNIT(const char* name,                              \
                                        const nplab::systemc::UnitDescription& unit) { \
    return new Type(sc_core::sc_module_name(name), unit);                              \
  }
