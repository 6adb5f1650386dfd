#include "tests/tools/support/generated_capture.h"

#include <utility>

#include "tests/tools/support/capture_file.h"

namespace nplab::tools::testing {
namespace {

enum class Kind {
  kPlain,
  kOptions,
  kFirstFragment,
  kLaterFragment,
  kTooShort,
  kCut,
  kVlan,
  kTwoTags,
  kArp,
  kIpv6,
  kWrongVersion,
  kShortHeader,
  kKinds
};

constexpr unsigned kTcp = 6;
constexpr unsigned kUdp = 17;
constexpr unsigned kSctp = 132;
constexpr unsigned kMoreFragments = 0x2000;
constexpr unsigned kOffset = 100;  // in 8 bytes
constexpr unsigned kPayloadBytes = 40;
constexpr unsigned kCutBytes = 14 + 20;

bool has_ports(std::uint32_t protocol) {
  return protocol == kTcp || protocol == kUdp || protocol == kSctp;
}

void put16(std::string& bytes, std::uint32_t value) {
  bytes += static_cast<char>(value >> 8);
  bytes += static_cast<char>(value);
}
void put32(std::string& bytes, std::uint32_t value) {
  put16(bytes, value >> 16);
  put16(bytes, value & 0xffff);
}

unsigned ether_type(Kind kind) {
  if (kind == Kind::kArp)
    return 0x0806;
  return kind == Kind::kIpv6 ? 0x86dd : 0x0800;
}

std::string frame_of(const Header& header, Kind kind) {
  std::string frame("\x02\0\0\0\0\x01\x02\0\0\0\0\x02", 12);
  if (kind == Kind::kTwoTags)
    put32(frame, 0x88a80003);
  if (kind == Kind::kVlan || kind == Kind::kTwoTags)
    put32(frame, 0x81000005);
  put16(frame, ether_type(kind));
  const unsigned header_words = kind == Kind::kOptions ? 6 : kind == Kind::kShortHeader ? 4 : 5;
  const unsigned version = kind == Kind::kWrongVersion ? 0x60 : 0x40;
  const unsigned behind = kind == Kind::kTooShort ? 2 : kPayloadBytes;
  put16(frame, (version | header_words) << 8);
  put16(frame, 4 * header_words + behind);
  put16(frame, 7);  // identification
  put16(frame, kind == Kind::kFirstFragment   ? kMoreFragments
               : kind == Kind::kLaterFragment ? kOffset
                                              : 0);
  put16(frame, 64 << 8 | header[4]);
  put16(frame, 0);  // nobody looks at the checksum
  put32(frame, header[0]);
  put32(frame, header[1]);
  if (kind == Kind::kOptions)
    put32(frame, 0x01010101);
  put16(frame, header[2]);
  put16(frame, header[3]);
  return frame + std::string(kPayloadBytes - 4, '\xa5');
}

// What rules see of the frame: nothing when no rule can match it.
std::optional<Header> key_of(Header header, Kind kind) {
  if (kind >= Kind::kVlan)
    return std::nullopt;
  // A frame that is cut ends behind the IP header, where ports are missing.
  const bool reads_ports = has_ports(header[4]) && kind != Kind::kLaterFragment;
  if ((kind == Kind::kTooShort || kind == Kind::kCut) && reads_ports)
    return std::nullopt;
  if (!reads_ports)
    header[2] = header[3] = 0;
  return header;
}

}  // namespace

GeneratedCapture capture_of_headers(const GeneratedInput& input) {
  GeneratedCapture capture;
  std::vector<CapturedFrame> frames;
  for (std::size_t i = 0; i < input.headers().size(); ++i) {
    const Header& header = input.headers()[i];
    // Every second is plain.
    const Kind kind = i % 2 == 0
                          ? Kind::kPlain
                          : static_cast<Kind>(i / 2 % static_cast<std::size_t>(Kind::kKinds));
    CapturedFrame frame{i * 1000, frame_of(header, kind), {}};
    if (kind == Kind::kCut)
      frame.wire_bytes = std::exchange(frame.bytes, frame.bytes.substr(0, kCutBytes)).size();
    frames.push_back(std::move(frame));
    input.count(key_of(header, kind), capture.answers);
  }
  capture.frames = frames.size();
  capture.bytes = capture_of(frames);
  return capture;
}

}  // namespace nplab::tools::testing
