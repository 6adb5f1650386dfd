#include "experiments/run/captures.h"

#include <fmt/format.h>

#include <filesystem>

namespace nplab::experiments {

Captures::Captures(std::string folder, unsigned ports, std::uint64_t core_hz)
    : folder_(std::move(folder)), core_hz_(core_hz), received_(ports), sent_(ports) {}

void Captures::received(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) {
  add(received_, "rx", port, at, frame);
}

void Captures::sent(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) {
  add(sent_, "tx", port, at, frame);
}

void Captures::add(std::vector<Direction>& directions, const char* suffix, unsigned port,
                   simulator::Cycle at, std::span<const std::uint8_t> frame) {
  auto& writer = directions.at(port).writer;
  if (!writer) {
    const auto path = std::filesystem::path(folder_) / fmt::format("port{}-{}.pcap", port, suffix);
    writer = std::make_unique<workloads::PcapWriter>(path.string());
  }
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  // 128 bits: a run of hours overflows 64.
  const auto nanoseconds = static_cast<std::uint64_t>(static_cast<unsigned __int128>(at.number()) *
                                                      kNanoseconds / core_hz_);
  writer->add(nanoseconds, frame);
}

void Captures::commit(Diagnostics& diagnostics) {
  for (auto* directions : {&received_, &sent_}) {
    for (Direction& direction : *directions) {
      if (direction.writer)
        direction.writer->commit(diagnostics);
    }
  }
}

}  // namespace nplab::experiments
