#include "simulator/fbi/packet_fifo.h"

#include <algorithm>

namespace nplab::simulator {

void ReceiveFifo::store(unsigned element, std::span<const std::uint8_t> bytes) {
  assert(bytes.size() <= kMpacketBytes && "an mpacket fits an element");
  std::uint32_t* longword = &data_[element * kElementLongwords];
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    *longword++ = std::uint32_t{bytes[i]} << 24 | std::uint32_t{bytes[i + 1]} << 16 |
                  std::uint32_t{bytes[i + 2]} << 8 | bytes[i + 3];
  }
  for (unsigned shift = 24; i < bytes.size(); ++i, shift -= 8) {
    *longword = (*longword & ~(0xffu << shift)) | std::uint32_t{bytes[i]} << shift;
  }
}

void ReceiveFifo::read(std::uint32_t address, std::span<std::uint32_t> longwords) const {
  assert(address % 4 == 0 && address / 4 + longwords.size() <= data_.size() &&
         "a read within the FIFO");
  std::copy_n(data_.begin() + address / 4, longwords.size(), longwords.begin());
}

TransmitControl TransmitControl::decode(std::uint32_t longword) {
  const auto bit = [longword](unsigned position) { return ((longword >> position) & 1) != 0; };
  return TransmitControl{longword & 15, bit(8), bit(9), bit(10), (longword >> 16) & 127};
}

void TransmitFifo::write(std::uint32_t address, std::span<const std::uint32_t> longwords) {
  assert(address % 4 == 0 && "complete longwords");
  if (address < kControlAddress) {
    assert(address / 4 + longwords.size() <= data_.size() && "a write within the FIFO");
    std::copy(longwords.begin(), longwords.end(), data_.begin() + address / 4);
    return;
  }
  std::size_t element = (address - kControlAddress) / 4;
  assert(element + longwords.size() <= elements_.size() && "a write within the FIFO");
  for (const std::uint32_t longword : longwords)
    elements_[element++].control = longword;
}

void TransmitFifo::validate(unsigned element) {
  elements_[element].valid = true;
  elements_[element].validated = TransmitControl::decode(elements_[element].control);
}

void TransmitFifo::clear(unsigned element) {
  elements_[element].valid = false;
  elements_[element].frame = FrameRef{};
}

void TransmitFifo::copy_bytes(unsigned element, std::span<std::uint8_t> bytes) const {
  assert(bytes.size() <= kMpacketBytes && "an element's bytes");
  const std::uint32_t* longword = &data_[element * kElementLongwords];
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(longword[i / 4] >> (24 - 8 * (i % 4)));
  }
}

}  // namespace nplab::simulator
