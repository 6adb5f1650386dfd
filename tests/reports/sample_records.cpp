#include "sample_records.h"

#include "reports/analysis/derive.h"

namespace nplab::reports {
namespace {

Thread thread(Count id, Count executing, Count aborted, Count stalled, CountByName waiting) {
  Thread t{id, executing, aborted, stalled, 0, std::move(waiting), 0};
  Count used = executing + aborted + stalled;
  for (const auto& [event, cycles] : t.waiting)
    used += cycles;
  t.ready = 1000 - used;
  return t;
}

Engine receive_engine() {
  Engine e;
  e.id = 0;
  e.role = "rcv";
  e.program = "receive";
  e.cycles = {600, 200, 50, 150};
  e.instructions = 600;
  e.words = 120;
  e.threads = {thread(0, 400, 150, 50, {{"sram", 200}}),
               thread(1, 200, 50, 0, {{"sdram", 100}, {"sram", 300}})};
  e.aborted_by = {{"br", 120}, {"swap", 80}};
  return e;
}

Engine transmit_engine() {
  Engine e;
  e.id = 1;
  e.role = "xmit";
  e.program = "transmit";
  e.cycles = {250, 0, 0, 750};
  e.instructions = 250;
  e.words = 64;
  e.threads = {thread(0, 250, 0, 0, {{"fbi", 500}}), Thread{1, 0, 0, 0, 0, {}, 1000}};
  return e;
}

void fill_memory(Memory& memory) {
  memory.sram.references = 10;
  memory.sram.longwords = 40;
  memory.sram.queue_peak = 3;
  memory.sram.latency_cycles = {0, 40, 225};
  memory.sram.active_cycles = 500;
  memory.sram.peak_mbps = 1600;
  memory.sdram.references = 4;
  memory.sdram.longwords = 32;
  memory.sdram.queue_peak = 1;
  memory.sdram.latency_cycles = {0, 50, 160};
  memory.sdram.active_cycles = 125;
  memory.sdram.peak_mbps = 3200;
  memory.scratch.peak_mbps = 3200;
}

void fill_packets(RunRecord& r) {
  r.ports = {Port{0, 6, 4, 1, {}, {384, 256}}, Port{1, 4, 2, 0, {}, {256, 128}}};
  r.packets.offered = 12;
  r.packets.missed_by_media = 1;
  r.packets.received = 10;
  r.packets.sent = 6;
  r.packets.denied = 1;
  r.packets.no_match = 1;
  r.packets.dropped_queue_full = 1;
  r.packets.in_flight = 1;
  r.packets.classified = 8;
  r.latency_cycles = {100, 150, 300, 310, 310};
  r.first_start_cycle = {200, 600};
}

}  // namespace

RunRecord sample_record() {
  RunRecord r;
  r.tool = {"0.1.0", "0123abc", std::nullopt};
  r.inputs = {{"mappings/ls/ls.yaml", "aa"},
              {"small", "bb"},
              {"four.rules", "cc"},
              {"gen:hits", "dd"},
              {},
              {},
              {}};
  r.seed = 1;
  r.options = {10, false, "wire", "0-1", "transport", {"mapping.entries=4"}};
  r.cycles = {1000, 400};
  r.clocks = {100'000'000, 40'000'000};
  fill_packets(r);
  fill_memory(r.memory);
  r.engines = {receive_engine(), transmit_engine()};
  r.queues = {{"rcv.0 to xmit.0", 4, 3, 7, 6, 1}};
  r.workload = {"frames of 64 bytes with FCS, gap of 12 bytes"};
  r.mode = "lockstep";
  r.state_hash = "00ff";
  r.host = {0.5, 0, 0, 0.25};
  fill_derived(r);
  return r;
}

RunRecord other_record() {
  RunRecord r = sample_record();
  r.inputs.mapping.name = "mappings/other.yaml";
  r.engines[0].cycles = {660, 140, 0, 200};
  r.engines[0].instructions = 660;
  r.engines[0].threads = {thread(0, 460, 100, 0, {{"sram", 200}}),
                          thread(1, 200, 40, 0, {{"sram", 300}})};
  r.engines[0].aborted_by = {{"br", 140}};
  r.ports[0].sent = 5;
  r.ports[0].frame_bytes.transmit = 320;
  r.packets.sent = 7;
  r.packets.dropped_queue_full = 0;
  r.packets.no_match = 0;
  r.packets.dropped_other = {{"no_buffer", 1}};
  fill_derived(r);
  return r;
}

}  // namespace nplab::reports
