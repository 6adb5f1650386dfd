#include "workloads/traffic/pcap_writer.h"

#include <pcap/pcap.h>
#include <cassert>
#include <cstdio>

#include "workloads/packets/frame.h"

namespace nplab::workloads {
namespace {

constexpr int kSnapLength = 65535;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

// libpcap writes to a C stream; this one passes on what it gets to `stream`, which keeps its errors
// until the commit.
std::FILE* c_stream(std::ostream& stream) {
  cookie_io_functions_t functions{};
  functions.write = [](void* cookie, const char* bytes, std::size_t count) -> ssize_t {
    static_cast<std::ostream*>(cookie)->write(bytes, static_cast<std::streamsize>(count));
    return static_cast<ssize_t>(count);
  };
  return ::fopencookie(&stream, "w", functions);
}

}  // namespace

void PcapWriter::Close::operator()(pcap* capture) const {
  ::pcap_close(capture);
}

void PcapWriter::Close::operator()(pcap_dumper* dumper) const {
  ::pcap_dump_close(dumper);
}

PcapWriter::PcapWriter(std::string path)
    : file_(std::move(path)),
      capture_(::pcap_open_dead_with_tstamp_precision(DLT_EN10MB, kSnapLength,
                                                      PCAP_TSTAMP_PRECISION_NANO)) {
  std::FILE* const stream = c_stream(file_.stream());
  assert(capture_ && stream != nullptr && "there is memory for a capture and a stream");
  dumper_.reset(::pcap_dump_fopen(capture_.get(), stream));
  assert(dumper_ && "the stream takes the header of a capture");
}

PcapWriter::~PcapWriter() = default;

void PcapWriter::add(std::uint64_t nanoseconds, std::span<const std::uint8_t> frame) {
  assert(frame.size() > kFcsBytes && "a frame ends with its frame check sequence");
  assert(nanoseconds >= last_nanoseconds_ && "a capture's times do not decrease");
  last_nanoseconds_ = nanoseconds;
  pcap_pkthdr header{};
  header.ts.tv_sec = static_cast<time_t>(nanoseconds / kNanosecondsPerSecond);
  // Nanoseconds: the precision of the capture says so.
  header.ts.tv_usec = static_cast<suseconds_t>(nanoseconds % kNanosecondsPerSecond);
  header.caplen = header.len = static_cast<bpf_u_int32>(frame.size() - kFcsBytes);
  ::pcap_dump(reinterpret_cast<u_char*>(dumper_.get()), &header, frame.data());
}

bool PcapWriter::commit(Diagnostics& diagnostics) {
  dumper_.reset();  // writes what the C stream still holds
  return file_.commit(diagnostics);
}

}  // namespace nplab::workloads
