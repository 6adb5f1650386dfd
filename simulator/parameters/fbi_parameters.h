// Every hardware figure of the FBI (FIFO bus interface). The chip file gives the values and says
// what each rests on.
#pragma once

#include <cstdint>

#include "simulator/base/unit_queues.h"

namespace nplab::simulator {

// Core cycles, unless a comment says otherwise.
struct FbiParameters {
  QueueSizes<kFbiQueues> queues;
  unsigned command_latency =
      0;  // arrival in the queue to service: decoding, pulling the data; at least 1
  unsigned csr_cycles = 0;         // occupancy of a csr reference or fast_wr
  unsigned csr_read_latency = 0;   // service to the value in the transfer register, and the event
  unsigned csr_write_latency = 0;  // service, when the write takes effect, to the event
  unsigned fifo_longword_cycles = 0;  // r_fifo_rd and t_fifo_wr: occupancy a longword
  unsigned fifo_latency = 0;          // last longword to the event
  unsigned hash_cycles = 0;           // occupancy a key
  unsigned hash_latency = 0;          // last key to the event
  unsigned signal_latency =
      0;  // service of inter_thd_sig or a sequence number's change to the event
  unsigned fifo_elements = 0;            // of RFIFO and TFIFO each, 64 bytes an element; at most 16
  unsigned ready_bus_period = 0;         // between two samples of the ports' readiness
  unsigned receive_requests = 0;         // entries of the receive-request queue
  unsigned receive_request_margin = 0;   // rec_req_avail: more than this many entries are free
  unsigned receive_timeout = 0;          // how long a request waits for a port that has nothing
  unsigned receive_control_latency = 0;  // mpacket in the RFIFO to rcv_cntl and start_receive
  unsigned ix_bytes_per_cycle = 0;       // bytes; width of the IX bus
  unsigned ix_receive_overhead = 0;      // IX cycles an mpacket besides its data
  unsigned ix_transmit_overhead = 0;     // IX cycles an mpacket besides its data
};

}  // namespace nplab::simulator
