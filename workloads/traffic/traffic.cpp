#include "workloads/traffic/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "support/sha256.h"
#include "workloads/base/text_lines.h"
#include "workloads/reference/classifier.h"
#include "workloads/traffic/traffic_readers.h"

namespace nplab::workloads {

Traffic::Traffic(TrafficKind kind, std::string name, std::string sha256,
                 std::vector<Packet> packets)
    : kind_(kind), name_(std::move(name)), sha256_(std::move(sha256)), may_name_ports_(true) {
  assert(!packets.empty() && "traffic holds a packet");
  const std::size_t size = packets.size();
  store_ = std::make_shared<Store>(Store{std::move(packets), size, {}});
}

Traffic::Traffic(TrafficKind kind, std::string name, std::string sha256, std::size_t size,
                 PacketSupply supply)
    : kind_(kind),
      name_(std::move(name)),
      sha256_(std::move(sha256)),
      may_name_ports_(false),
      store_(std::make_shared<Store>(Store{{}, size, std::move(supply)})) {
  assert(size != 0 && "traffic holds a packet");
}

void Traffic::prepare(std::size_t count) const {
  std::vector<Packet>& packets = store_->packets;
  packets.reserve(size());  // packets stay in place
  while (packets.size() < std::min(count, size()))
    packets.push_back(store_->supply());
  if (packets.size() == size())
    store_->supply = {};
}

const Packet& Traffic::packet(std::size_t index) const {
  if (index >= store_->packets.size())
    prepare(index + 1);
  return store_->packets.at(index);
}

const std::vector<Packet>& Traffic::packets() const& {
  prepare(size());
  return store_->packets;
}

void Traffic::change_packets(const std::function<void(Packet&)>& change) {
  if (store_.use_count() > 1)  // a copy keeps what it has
    store_ = std::make_shared<Store>(Store{packets(), size(), {}});
  for (Packet& packet : store_->packets)
    change(packet);
  if (store_->supply)
    store_->supply = [supply = std::move(store_->supply), change] {
      Packet packet = supply();
      change(packet);
      return packet;
    };
}

Traffic Traffic::with_keys(const KeyLayout& layout, L4Key l4) && {
  if (kind_ == TrafficKind::kKeyTrace)
    return std::move(*this);
  change_packets([layout, l4](Packet& packet) { packet.key = extract(packet.frame, layout, l4); });
  return std::move(*this);
}

Traffic Traffic::on_port(PortId port) && {
  change_packets([port](Packet& packet) { packet.arrival_port = port; });
  may_name_ports_ = true;
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
    packets.insert(packets.end(), part.packets().begin(), part.packets().end());
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

std::optional<Traffic> parse_traffic(const InputFile& file, std::size_t frame_bytes,
                                     const KeyLayout& layout, Diagnostics& diagnostics) {
  if (!layout.is_packed() || is_capture(file.bytes))
    return parse_traffic(file, frame_bytes, diagnostics);
  return parse_framed_keys(file, frame_bytes, layout, diagnostics);
}

std::optional<Traffic> read_traffic(const std::string& path, std::size_t frame_bytes,
                                    const KeyLayout& layout, Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  return file ? parse_traffic(*file, frame_bytes, layout, diagnostics) : std::nullopt;
}

void check_expected_rules(const Traffic& traffic, const RuleSet& rules, Diagnostics& diagnostics) {
  const ReferenceClassifier classifier(rules);
  std::size_t wrong = 0;
  for (const Packet& packet : traffic.packets()) {
    if (!packet.trace_column || !packet.key)
      continue;
    const auto rule = classifier.classify(*packet.key);
    const std::int64_t found = rule ? static_cast<std::int64_t>(rule->value()) : -1;
    if (found == *packet.trace_column)
      continue;
    if (++wrong > FileErrors::kShown)
      break;
    diagnostics.error(
        packet.location,
        fmt::format("the trace expects rule {} (-1: none), but the first rule of '{}' "
                    "that matches is {}; give the rules that the trace was made for, "
                    "or leave its last column out",
                    *packet.trace_column, rules.name(), found));
  }
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
