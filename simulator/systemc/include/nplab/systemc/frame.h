// What a transaction at a port carries besides its bytes.
#pragma once

#include <tlm>

namespace nplab::systemc {

// An ignorable extension. A port's tx socket sets it on every frame; at rx it may be absent.
//
// Time: who sends a frame hands it over in the moment at which the receiver's wire can begin with
// its preamble. A tx socket does so when the frame's last byte has left (`last_byte`), so that a
// model of a switch has all of it: store and forward. An rx socket takes the first byte a preamble
// later, or as soon as the wire has brought the frames before, and annotates the time until the
// wire is free again: the sender's next frame cannot begin earlier. Nothing holds a sender back
// otherwise: a frame that finds no room in the port's buffer is lost, as on the wire.
struct FrameExtension : tlm::tlm_extension<FrameExtension> {
  unsigned length = 0;                                  // bytes, with the check sequence
  sc_core::sc_time first_byte = sc_core::SC_ZERO_TIME;  // begins, on the sender's wire
  sc_core::sc_time last_byte = sc_core::SC_ZERO_TIME;   // has left
  bool error = false;  // the check sequence is wrong: the frame ends in error

  [[nodiscard]] tlm::tlm_extension_base* clone() const override {
    return new FrameExtension(*this);
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const FrameExtension&>(other);
  }
};

}  // namespace nplab::systemc
