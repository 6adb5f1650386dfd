// The receive and the transmit FIFO: elements of 64 bytes, held as longwords, the first byte the
// most significant.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "simulator/fbi/frame_tracker.h"
#include "simulator/media/mpacket.h"

namespace nplab::simulator {

inline constexpr unsigned kMostFifoElements = 16;  // element fields have four bits
inline constexpr unsigned kElementLongwords = kMpacketBytes / 4;

class ReceiveFifo {
 public:
  // The rest of the element keeps what it held.
  void store(unsigned element, std::span<const std::uint8_t> bytes);
  // From byte address 64 * element + offset, a multiple of 4, within the FIFO.
  void read(std::uint32_t address, std::span<std::uint32_t> longwords) const;
  [[nodiscard]] const auto& longwords() const { return data_; }

 private:
  std::array<std::uint32_t, kMostFifoElements * kElementLongwords> data_{};
};

// The control longword of a TFIFO element.
struct TransmitControl {
  unsigned port = 0;             // bits 3..0
  bool start_of_packet = false;  // bit 8
  bool end_of_packet = false;    // bit 9
  bool skip = false;             // bit 10: nothing is sent
  unsigned valid_bytes = 0;      // bits 22..16

  static TransmitControl decode(std::uint32_t longword);
};

class TransmitFifo {
 public:
  static constexpr std::uint32_t kControlAddress =
      kMostFifoElements * kMpacketBytes;  // + 4 * element

  // To byte address 64 * element + offset, or to control longwords from kControlAddress on; within
  // the FIFO.
  void write(std::uint32_t address, std::span<const std::uint32_t> longwords);
  // The element's bytes belong to `frame`.
  void set_frame(unsigned element, FrameRef frame) { elements_[element].frame = frame; }

  [[nodiscard]] bool is_valid(unsigned element) const { return elements_[element].valid; }
  // What the control longword says now holds until the element has been sent.
  void validate(unsigned element);
  // The element has been sent or skipped; it names no frame any more.
  void clear(unsigned element);
  // Of a valid element, as it was validated.
  [[nodiscard]] const TransmitControl& validated(unsigned element) const {
    return elements_[element].validated;
  }
  [[nodiscard]] FrameRef frame(unsigned element) const { return elements_[element].frame; }
  void copy_bytes(unsigned element, std::span<std::uint8_t> bytes) const;
  [[nodiscard]] const auto& longwords() const { return data_; }
  [[nodiscard]] std::uint32_t control_longword(unsigned element) const {
    return elements_[element].control;
  }

 private:
  struct Element {
    std::uint32_t control = 0;
    bool valid = false;
    TransmitControl validated;
    FrameRef frame;
  };
  std::array<std::uint32_t, kMostFifoElements * kElementLongwords> data_{};
  std::array<Element, kMostFifoElements> elements_{};
};

}  // namespace nplab::simulator
