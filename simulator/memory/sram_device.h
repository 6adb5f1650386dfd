// What answers for a range of the SRAM's addresses in the place of its memory: a co-processor or a
// memory of another kind on the SRAM bus, whose model is not the chip's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "simulator/base/ports.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class SramDevice {
 public:
  // Names a reference whose answer is awaited.
  using Ticket = std::uint64_t;
  enum class Comes : std::uint8_t {
    kNow,
    // Of a read: once has_answer() says so. Until then it holds no bus; then it is read once more.
    kWhenAsked,
    // By SramUnit::answered with the ticket. The request holds the bus, the answer does not.
    kByNotice,
  };
  struct Answer {
    // From the end of the reference's bus cycles to its answer, beyond what the memory itself
    // would take.
    Cycles latency = 0;
    std::optional<Cycles> occupancy;  // of the bus; none: as a reference to the memory
    const char* fault = nullptr;      // what the program did that the device cannot do, if anything
    Comes comes = Comes::kNow;
    // Of an answer by notice: its name; when the device has taken the request, until which the bus
    // is held at least; none: SramUnit::request_taken will say so.
    Ticket ticket = 0;
    std::optional<Cycle> taken;
  };
  virtual ~SramDevice() = default;
  // Whether a write would be taken in cycle `at`. One that is not waits in its queue, and holds
  // back what is behind it.
  [[nodiscard]] virtual bool takes_write(std::uint32_t /*address*/, Cycle /*at*/) { return true; }
  // Of a read whose answer was not there: whether it is in cycle `at`.
  [[nodiscard]] virtual bool has_answer(std::uint32_t /*address*/, Cycle /*at*/) { return true; }
  // The SRAM unit has chosen the reference in cycle `at`. `address` is that of the chip, in bytes.
  virtual Answer read(std::uint32_t address, std::span<std::uint32_t> longwords, Cycle at) = 0;
  virtual Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords,
                       Cycle at) = 0;
};

// One that is a part of the chip and works by itself between references.
class ChipDevice : public SramDevice, public Inspectable {
 public:
  // Works through all cycles before `horizon` that it has not done yet.
  virtual void run(Cycle horizon) = 0;
};

}  // namespace nplab::simulator
