#include "workloads/packets/frame_position.h"

#include <fmt/format.h>

namespace nplab::workloads {

std::optional<FramePosition> read_frame_position(const yaml::Node& node, unsigned bits,
                                                 Diagnostics& diagnostics) {
  node.reject_unknown_keys({"byte", "bit"}, diagnostics);
  const yaml::Node* byte_node = node.require("byte", diagnostics);
  if (byte_node == nullptr)
    return std::nullopt;
  const auto byte = byte_node->as_integer(diagnostics);
  const yaml::Node* bit_node = node.find("bit");
  const auto bit = bit_node == nullptr ? 0 : bit_node->as_integer(diagnostics);
  if (!byte || !bit)
    return std::nullopt;
  if (*bit < 0 || *bit > 7) {
    diagnostics.error(bit_node->location(),
                      fmt::format("expected a bit of 0 (most significant) to 7, found {}", *bit));
    return std::nullopt;
  }
  if (*byte < 0 || *byte >= kBytesOfEveryFrame ||
      *byte * 8 + *bit + bits > kBytesOfEveryFrame * 8) {
    diagnostics.error(
        byte_node->location(),
        fmt::format(
            "a field of {} bits at byte {} bit {} is not within the {} bytes of every frame", bits,
            *byte, *bit, kBytesOfEveryFrame));
    return std::nullopt;
  }
  return FramePosition{static_cast<unsigned>(*byte), static_cast<unsigned>(*bit)};
}

}  // namespace nplab::workloads
