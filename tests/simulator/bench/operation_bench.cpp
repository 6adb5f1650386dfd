#include "tests/simulator/bench/operation_bench.h"

#include <algorithm>

#include <fmt/format.h>

namespace nplab::test {

using simulator::ChipDescription;

namespace {

// Of a bus `width` bytes wide.
constexpr unsigned transfers(unsigned bytes, unsigned width) {
  return (bytes + width - 1) / width;
}

constexpr Word base(unsigned unit, unsigned command, Code transfer, unsigned count) {
  return field(unit, 58) | field(transfer, 47) | field(value(0), 36) | field(value(0), 25) |
         field(command, 20) | field(count - 1, 12);
}
constexpr Word without_address(Word word) {
  return (word & ~field(0x7ff, 36) & ~field(0x7ff, 25)) | field(none, 36) | field(none, 25);
}
constexpr Word csr_word(unsigned command, Code transfer, isa::ControlStatusRegister csr) {
  return field(19, 58) | field(transfer, 47) | field(none, 36) |
         field(static_cast<unsigned>(csr), 25) | field(command, 20);
}

}  // namespace

std::vector<OperationCase> sram_operations(const ChipDescription& chip) {
  const auto& sram = chip.sram;
  std::vector<OperationCase> all;
  const auto add = [&](std::string name, Word word, unsigned occupancy, unsigned first,
                       unsigned completion) {
    // The next access begins with a clock of the unit.
    const unsigned clocks = (occupancy + sram.bus_cycles - 1) / sram.bus_cycles;
    all.push_back({std::move(name), word, clocks * sram.bus_cycles, first, completion,
                   sram.pipeline_latency, sram.bus_cycles});
  };
  const unsigned turn = sram.turn_around, longword = sram.bus_cycles;
  for (unsigned n = 1; n <= 8; ++n) {
    const unsigned data = transfers(4 * n, sram.bus_bytes) * sram.bus_cycles;
    add(fmt::format("sram[read, {}]", n), base(16, 0, sram_transfer(0), n), data, data,
        sram.push_latency);
    add(fmt::format("sram[write, {}]", n), base(16, 1, sram_transfer(0), n), data, data,
        sram.write_completion);
    add(fmt::format("sram[write_unlock, {}]", n), base(16, 3, sram_transfer(0), n), data, data,
        sram.write_completion);
  }
  // The address is asked of the lock CAM, one in a clock.
  add("sram[unlock]", base(16, 4, none, 1), longword, 0, sram.write_completion);
  for (unsigned function = 8; function <= 11; ++function)
    add(fmt::format("sram[bit_wr] {}", function), base(16, function, sram_transfer(0), 1),
        2 * (turn + longword), turn + 2 * longword, sram.push_latency);
  const Word push = (base(16, 12, none, 1) & ~field(0x7ff, 36)) | field(a(1), 36);
  add("sram[push]", push, longword, longword, sram.write_completion);
  add("sram[pop]", without_address(base(16, 13, sram_transfer(0), 1)), longword, longword,
      sram.push_latency);
  return all;
}

std::vector<OperationCase> sdram_operations(const ChipDescription& chip) {
  const auto& sdram = chip.sdram;
  std::vector<OperationCase> all;
  const auto add = [&](std::string name, Word word, unsigned quadwords, bool to_chip) {
    const unsigned data =
        sdram.reference_occupancy + transfers(8 * quadwords, sdram.bus_bytes) * sdram.bus_cycles;
    // One bank: until it is precharged behind data and tRAS, and activated again; no sooner than
    // tRC.
    const unsigned open = std::max(data, sdram.t_ras - sdram.t_rcd);
    const unsigned again = std::max(open + sdram.t_rp + sdram.t_rcd, sdram.t_rc);
    all.push_back({std::move(name), word, again, data,
                   to_chip ? sdram.push_latency : sdram.write_completion, sdram.pipeline_latency,
                   sdram.bus_cycles});
  };
  for (unsigned n = 1; n <= 4; ++n) {
    add(fmt::format("sdram[read, {}]", n), base(17, 0, sdram_transfer(0), n), n, true);
    add(fmt::format("sdram[write, {}]", n), base(17, 1, sdram_transfer(0), n), n, false);
  }
  for (unsigned n = 1; n <= 8; ++n) {
    add(fmt::format("sdram[r_fifo_rd, {}]", n),
        (base(17, 2, none, n) & ~field(0x7ff, 36)) | field(a(1), 36), n, false);
    add(fmt::format("sdram[t_fifo_wr, {}]", n),
        (base(17, 3, none, n) & ~field(0x7ff, 36)) | field(a(1), 36), n, true);
  }
  return all;
}

std::vector<OperationCase> scratch_operations(const ChipDescription& chip) {
  const auto& scratch = chip.scratch;
  std::vector<OperationCase> all;
  const auto add = [&](std::string name, Word word, unsigned occupancy, unsigned completion) {
    all.push_back(
        {std::move(name), word, occupancy, occupancy, completion, scratch.pipeline_latency, 1});
  };
  for (unsigned n = 1; n <= 8; ++n) {
    const unsigned data = transfers(4 * n, scratch.bus_bytes) * scratch.bus_cycles;
    add(fmt::format("scratch[read, {}]", n), base(18, 0, sram_transfer(0), n), data,
        scratch.push_latency);
    add(fmt::format("scratch[write, {}]", n), base(18, 1, sram_transfer(0), n), data,
        scratch.write_completion);
  }
  const unsigned modify = scratch.bus_cycles + scratch.modify_cycles;
  // It pulls no data.
  add("scratch[incr]", base(18, 6, none, 1), modify, scratch.push_latency);
  for (unsigned function = 8; function <= 11; ++function)
    add(fmt::format("scratch[bit_wr] {}", function), base(18, function, sram_transfer(0), 1),
        modify, scratch.push_latency);
  return all;
}

std::vector<OperationCase> fbi_operations(const ChipDescription& chip) {
  const auto& fbi = chip.fbi;
  std::vector<OperationCase> all;
  // A register is read or written with the service; its latency counts from there.
  const auto add = [&](std::string name, Word word, unsigned occupancy, unsigned first,
                       unsigned completion) {
    all.push_back({std::move(name), word, occupancy, first, completion, fbi.command_latency, 1});
  };
  using Register = isa::ControlStatusRegister;
  add("csr[read]", csr_word(0, sram_transfer(0), Register::kThreadDone), fbi.csr_cycles, 0,
      fbi.csr_read_latency);
  add("csr[write]", csr_word(1, sram_transfer(0), Register::kThreadDone), fbi.csr_cycles, 0,
      fbi.csr_write_latency);
  for (unsigned n = 1; n <= 8; ++n) {
    const unsigned data = n * fbi.fifo_longword_cycles;
    add(fmt::format("r_fifo_rd[{}]", n), base(19, 2, sram_transfer(0), n), data, data,
        fbi.fifo_latency);
    add(fmt::format("t_fifo_wr[{}]", n), base(19, 3, sram_transfer(0), n), data, data,
        fbi.fifo_latency);
  }
  for (unsigned keys = 1; keys <= 3; ++keys)
    for (unsigned command = 0; command <= 1; ++command)
      add(fmt::format("hash{}_{}", keys, command == 0 ? 48 : 64),
          without_address(base(20, command, sram_transfer(0), 2 * keys)), keys * fbi.hash_cycles,
          keys * fbi.hash_cycles, fbi.hash_latency);
  return all;
}

std::vector<OperationCase> all_operations(const ChipDescription& chip) {
  std::vector<OperationCase> all;
  for (const auto& operations : {sram_operations(chip), sdram_operations(chip),
                                 scratch_operations(chip), fbi_operations(chip)})
    all.insert(all.end(), operations.begin(), operations.end());
  return all;
}

}  // namespace nplab::test
