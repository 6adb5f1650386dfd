#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "workloads/traffic/traffic_readers.h"
#include "workloads/traffic/traffic_statistics.h"

namespace nplab::workloads {
namespace {

using namespace std::string_view_literals;

// pcap in both byte orders, microseconds and nanoseconds; pcapng's section header block.
constexpr std::array kMagics = {"\xA1\xB2\xC3\xD4"sv, "\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\x3C\x4D"sv,
                                "\x4D\x3C\xB2\xA1"sv, "\x0A\x0D\x0D\x0A"sv};

struct CloseCapture {
  void operator()(pcap_t* capture) const { pcap_close(capture); }
};
using Capture = std::unique_ptr<pcap_t, CloseCapture>;

// libpcap takes over the stream and closes it with the capture.
Capture open_capture(const InputFile& file, Diagnostics& diagnostics) {
  std::array<char, PCAP_ERRBUF_SIZE> problem{};
  FILE* stream = fmemopen(const_cast<char*>(file.bytes.data()), file.bytes.size(), "rb");
  Capture capture(stream == nullptr ? nullptr
                                    : pcap_fopen_offline_with_tstamp_precision(
                                          stream, PCAP_TSTAMP_PRECISION_NANO, problem.data()));
  if (!capture) {
    if (stream != nullptr)
      std::fclose(stream);
    diagnostics.error({file.name, 0, 0},
                      fmt::format("cannot be read as a capture: {}", problem.data()));
    return nullptr;
  }
  if (pcap_datalink(capture.get()) != DLT_EN10MB) {
    const char* type = pcap_datalink_val_to_name(pcap_datalink(capture.get()));
    diagnostics.error({file.name, 0, 0},
                      fmt::format("the capture has link type {}; expected Ethernet (EN10MB)",
                                  type == nullptr ? "unknown" : type));
    return nullptr;
  }
  return capture;
}

// A frame that the capture cut so short that it is padded: its datagram ends where the capture
// does. So a key that was cut is none, for the engines as for the reference, instead of one whose
// missing fields are 0.
void end_cut_datagram(std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kLengthEnd = kEthernetHeaderBytes + 4;
  if (bytes.size() < kLengthEnd || bytes.size() + kFcsBytes >= kShortestFrameBytes)
    return;
  if (load_big_endian(bytes, kEthernetTypeOffset, 2) != kEthernetTypeIpv4)
    return;
  const std::size_t datagram_bytes = load_big_endian(bytes, kEthernetHeaderBytes + 2, 2);
  if (kEthernetHeaderBytes + datagram_bytes > bytes.size())
    end_datagram_at(bytes, bytes.size());
}

}  // namespace

bool is_capture(std::string_view bytes) {
  return std::any_of(kMagics.begin(), kMagics.end(),
                     [&](std::string_view magic) { return bytes.starts_with(magic); });
}

std::optional<Traffic> parse_capture(const InputFile& file, Diagnostics& diagnostics) {
  const Capture capture = open_capture(file, diagnostics);
  if (!capture)
    return std::nullopt;
  std::vector<Packet> packets;
  bool failed = false;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(capture.get(), &header, &bytes)) == 1) {
    if (header->caplen + kFcsBytes > kLongestFrameBytes) {
      diagnostics.error(
          {file.name, 0, 0},
          fmt::format(
              "record {}: {} bytes are more than an Ethernet frame holds ({} without its check "
              "sequence); was it captured with segmentation offload?",
              packets.size() + 1, header->caplen, kLongestFrameBytes - kFcsBytes));
      failed = true;
    }
    Packet packet;
    packet.cut_by_capture = header->caplen < header->len;
    std::vector<std::uint8_t> captured(bytes, bytes + header->caplen);
    if (packet.cut_by_capture)
      end_cut_datagram(captured);
    packet.frame = finish_frame(std::move(captured));
    packets.push_back(std::move(packet));
  }
  if (status == PCAP_ERROR) {
    diagnostics.error({file.name, 0, 0},
                      fmt::format("record {}: {}", packets.size() + 1, pcap_geterr(capture.get())));
    return std::nullopt;
  }
  if (packets.empty())
    diagnostics.error({file.name, 0, 0}, "the capture holds no packets");
  if (packets.empty() || failed)
    return std::nullopt;
  return Traffic(TrafficKind::kCapture, file.name, file.sha256, std::move(packets));
}

std::vector<std::uint64_t> capture_times(const InputFile& file, Diagnostics& diagnostics) {
  constexpr std::int64_t kNanosecondsInSecond = 1'000'000'000;
  const Capture capture = open_capture(file, diagnostics);
  std::vector<std::uint64_t> times;
  std::int64_t first = 0;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  while (capture && pcap_next_ex(capture.get(), &header, &bytes) == 1) {
    const std::int64_t time =
        header->ts.tv_sec * kNanosecondsInSecond + header->ts.tv_usec;  // read as nanoseconds
    if (times.empty())
      first = time;
    const std::uint64_t before = times.empty() ? 0 : times.back();
    times.push_back(time < first ? before
                                 : std::max(before, static_cast<std::uint64_t>(time - first)));
  }
  return times;
}

}  // namespace nplab::workloads
