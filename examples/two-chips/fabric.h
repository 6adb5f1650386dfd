// A fabric between two chips: what comes in at port i leaves for port i, later, unless it is lost.
#pragma once

#include <functional>
#include <random>

#include <nplab/systemc/frame.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

class Fabric : public sc_core::sc_module {
 public:
  Fabric(sc_core::sc_module_name name, unsigned ports, sc_core::sc_time latency, double loss)
      : sc_module(name), in("in", ports), out("out", ports), latency_(latency), loss_(loss) {
    for (unsigned i = 0; i < ports; ++i)
      in[i].register_b_transport(this, &Fabric::pass, static_cast<int>(i));
  }
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Fabric>> in;
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Fabric>> out;
  std::function<void(const tlm::tlm_generic_payload&, bool is_lost)> on_frame;

 private:
  void pass(int port, tlm::tlm_generic_payload& frame, sc_core::sc_time& delay) {
    const bool is_lost = std::bernoulli_distribution(loss_)(random_);
    on_frame(frame, is_lost);
    if (is_lost)
      return frame.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time later = delay + latency_;
    out[port]->b_transport(frame, later);  // the same frame: the receiver copies it
  }
  sc_core::sc_time latency_;
  double loss_;
  std::mt19937 random_{1};
};
