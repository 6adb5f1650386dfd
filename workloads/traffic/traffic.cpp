#include "workloads/traffic/traffic.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "support/sha256.h"
#include "workloads/traffic/traffic_readers.h"

namespace nplab::workloads {

Traffic::Traffic(TrafficKind kind, std::string name, std::string sha256,
                 std::vector<Packet> packets)
    : kind_(kind),
      name_(std::move(name)),
      sha256_(std::move(sha256)),
      packets_(std::move(packets)) {
  assert(!packets_.empty() && "traffic holds a packet");
}

Traffic Traffic::with_keys(const KeyLayout& layout, L4Key l4) && {
  if (kind_ == TrafficKind::kKeyTrace)
    return std::move(*this);
  for (Packet& packet : packets_)
    packet.key = extract(packet.frame, layout, l4);
  return std::move(*this);
}

Traffic Traffic::on_port(PortId port) && {
  for (Packet& packet : packets_)
    packet.arrival_port = port;
  return std::move(*this);
}

Traffic Traffic::joined(std::vector<Traffic> parts) {
  assert(!parts.empty() && "there is something to join");
  if (parts.size() == 1)
    return std::move(parts.front());
  std::string name, sums;
  std::vector<Packet> packets;
  for (Traffic& part : parts) {
    name += (name.empty() ? "" : " ") + part.name_;
    sums += part.sha256_;
    std::move(part.packets_.begin(), part.packets_.end(), std::back_inserter(packets));
  }
  return {parts.front().kind_, std::move(name), sha256_hex(sums), std::move(packets)};
}

std::optional<Traffic> parse_traffic(const InputFile& file, std::size_t frame_bytes,
                                     Diagnostics& diagnostics) {
  if (is_capture(file.bytes))
    return parse_capture(file, diagnostics);
  return parse_header_trace(file, frame_bytes, diagnostics);
}

std::optional<Traffic> read_traffic(const std::string& path, std::size_t frame_bytes,
                                    Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  return parse_traffic(*file, frame_bytes, diagnostics);
}

std::optional<Traffic> read_key_trace(const std::string& path,
                                      const std::vector<FieldDefinition>& fields,
                                      Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  return parse_key_trace(*file, fields, diagnostics);
}

}  // namespace nplab::workloads
