#include "workloads/traffic/pcap_writer.h"

#include <cassert>
#include <cstring>

#include "workloads/packets/frame.h"

namespace nplab::workloads {
namespace {

// https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html; written in the host's byte order,
// which the magic number tells.
constexpr std::uint32_t kNanosecondMagic = 0xA1B23C4D;
constexpr std::uint32_t kVersionMajor = 2, kVersionMinor = 4;
constexpr std::uint32_t kSnapLength = 65535;
constexpr std::uint32_t kLinkTypeEthernet = 1;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

std::uint32_t version_word() {
  const std::uint16_t halves[2] = {kVersionMajor, kVersionMinor};
  std::uint32_t word = 0;
  std::memcpy(&word, halves, sizeof word);
  return word;
}

}  // namespace

PcapWriter::PcapWriter(std::string path) : file_(std::move(path)) {
  put_words({kNanosecondMagic, version_word(), 0, 0, kSnapLength, kLinkTypeEthernet});
}

void PcapWriter::put_words(std::initializer_list<std::uint32_t> words) {
  const auto bytes = static_cast<std::streamsize>(words.size() * sizeof(std::uint32_t));
  file_.stream().write(reinterpret_cast<const char*>(words.begin()), bytes);
}

void PcapWriter::add(std::uint64_t nanoseconds, std::span<const std::uint8_t> frame) {
  assert(frame.size() > kFcsBytes && "a frame ends with its frame check sequence");
  assert(nanoseconds >= last_nanoseconds_ && "a capture's times do not decrease");
  last_nanoseconds_ = nanoseconds;
  const auto length = static_cast<std::uint32_t>(frame.size() - kFcsBytes);
  put_words({static_cast<std::uint32_t>(nanoseconds / kNanosecondsPerSecond),
             static_cast<std::uint32_t>(nanoseconds % kNanosecondsPerSecond), length, length});
  file_.stream().write(reinterpret_cast<const char*>(frame.data()), length);
}

}  // namespace nplab::workloads
