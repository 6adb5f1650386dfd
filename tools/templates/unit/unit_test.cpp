// What the unit answers, without a chip: a write, then a read of it, and how long they take.
#include <cstdlib>
#include <iostream>
#include <memory>

#include <nplab/systemc/unit.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace {

void check(bool holds, const char* what) {
  if (holds)
    return;
  std::cerr << "failed: " << what << '\n';
  std::exit(1);
}

class Test : public sc_core::sc_module {
 public:
  explicit Test(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Test);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Test> socket{"socket"};

 private:
  sc_core::sc_time access(tlm::tlm_command command, unsigned address, unsigned& longword,
                          tlm::tlm_response_status status) {
    tlm::tlm_generic_payload one;
    one.set_command(command);
    one.set_address(address);
    one.set_data_ptr(reinterpret_cast<unsigned char*>(&longword));
    one.set_data_length(sizeof longword);
    one.set_streaming_width(sizeof longword);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(one, delay);
    check(one.get_response_status() == status, "the response status");
    return delay;
  }

  void run() {
    unsigned written = 0x12345678, read = 0;
    access(tlm::TLM_WRITE_COMMAND, 16, written, tlm::TLM_OK_RESPONSE);
    const auto delay = access(tlm::TLM_READ_COMMAND, 16, read, tlm::TLM_OK_RESPONSE);
    check(read == written, "what was written is read");
    check(delay == sc_core::sc_time(80, sc_core::SC_NS), "the latency is the parameter's");
    access(tlm::TLM_READ_COMMAND, 256, read, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
};

}  // namespace

int sc_main(int, char**) {
  const std::unique_ptr<nplab::systemc::Unit> unit(
      NPLAB_MAKE_UNIT("unit", {"unit", 256, {{"latency_ns", "80"}}}));
  Test test("test");
  test.socket.bind(unit->socket());
  sc_core::sc_start();
  std::cout << "the unit answers as it should\n";
  return 0;
}
