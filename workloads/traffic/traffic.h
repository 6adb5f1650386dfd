// Traffic: an immutable sequence of packets, read from a capture or a header trace or generated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/packets/frame.h"
#include "workloads/packets/key_layout.h"
#include "workloads/packets/port_id.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct Packet {
  Frame frame;  // with frame check sequence, at least 64 bytes; empty in a key trace
  std::optional<PortId> arrival_port;  // nothing: ports take turns
  std::uint64_t extra_gap_bytes =
      0;  // silence before the packet on its port, beyond the slot's gap, in byte times
  std::optional<Key>
      key;  // what the reference reads in the frame; nothing: the packet matches no rule
  // The column after a trace's fields, as it stands. Some traces keep the expected rule there (-1:
  // none), others the rule that the header was drawn from, so nothing is judged by it.
  std::optional<std::int64_t> trace_column;
  bool cut_by_capture = false;   // the capture kept fewer bytes than the packet had
  SourceLocation location = {};  // of its line in a trace of keys
};

enum class TrafficKind { kCapture, kHeaderTrace, kKeyTrace, kGenerated };

// Gives the packets of a traffic in order, one per call.
using PacketSupply = std::function<Packet()>;

// Packets that a supply gives are taken from it as they are asked for, so two threads must not
// share a traffic. They stay where they are as long as the traffic or a copy of it.
class Traffic {
 public:
  Traffic(TrafficKind kind, std::string name, std::string sha256, std::vector<Packet> packets);
  Traffic(TrafficKind kind, std::string name, std::string sha256, std::size_t size,
          PacketSupply supply);  // of packets without arrival ports

  [[nodiscard]] TrafficKind kind() const { return kind_; }
  [[nodiscard]] const std::string& name() const {
    return name_;
  }  // the file's as given, or the SPEC
  [[nodiscard]] const std::string& sha256() const {
    return sha256_;
  }  // of the file, or of the SPEC
  [[nodiscard]] const Packet& packet(std::size_t index) const;
  // All of them.
  [[nodiscard]] const std::vector<Packet>& packets() const&;
  const std::vector<Packet>& packets() const&& = delete;  // they would go with the traffic
  [[nodiscard]] std::size_t size() const { return store_->size; }
  // Takes the first `count` packets from the supply now.
  void prepare(std::size_t count) const;
  // Whether packets may have arrival ports of their own.
  [[nodiscard]] bool may_name_ports() const { return may_name_ports_; }

  // The same traffic, with each packet's key read from its frame (a key trace keeps its own).
  [[nodiscard]] Traffic with_keys(const KeyLayout& layout, L4Key l4) &&;
  // The same traffic, arriving on the given port.
  [[nodiscard]] Traffic on_port(PortId port) &&;
  // Several files, one after the other; the names are joined by blanks.
  static Traffic joined(std::vector<Traffic> parts);

 private:
  friend class Pacer;
  struct Store {
    std::vector<Packet> packets;
    std::size_t size = 0;
    PacketSupply supply;  // of those that are not in `packets` yet
  };
  // Changes each packet, now or when it is supplied.
  void change_packets(const std::function<void(Packet&)>& change);

  TrafficKind kind_;
  std::string name_;
  std::string sha256_;
  bool may_name_ports_;
  std::shared_ptr<Store> store_;  // of copies, too
};

// Reads a capture (pcap or pcapng) or a header trace, told by content. Captured packets get a frame
// check sequence and are padded to 64 bytes. Frames of `frame_bytes` are built around a trace's
// headers.
std::optional<Traffic> parse_traffic(const InputFile& file, std::size_t frame_bytes,
                                     Diagnostics& diagnostics);
std::optional<Traffic> read_traffic(const std::string& path, std::size_t frame_bytes,
                                    Diagnostics& diagnostics);

// The same; but a text is a trace of keys where `layout` is packed, and frames of `frame_bytes` are
// built around its keys.
std::optional<Traffic> read_traffic(const std::string& path, std::size_t frame_bytes,
                                    const KeyLayout& layout, Diagnostics& diagnostics);
std::optional<Traffic> parse_traffic(const InputFile& file, std::size_t frame_bytes,
                                     const KeyLayout& layout, Diagnostics& diagnostics);

// The column of a trace of keys is the first rule that matches, or -1. Reports each packet for
// which `rules` say otherwise, at its line of the trace; its traffic has keys.
void check_expected_rules(const Traffic& traffic, const RuleSet& rules, Diagnostics& diagnostics);

// Reads a trace of keys: one hexadecimal word a field, in the order of `fields`, then optionally a
// decimal column. The packets have a key and no frame; they are for the reference classifier alone.
std::optional<Traffic> parse_key_trace(const InputFile& file,
                                       const std::vector<FieldDefinition>& fields,
                                       Diagnostics& diagnostics);
std::optional<Traffic> read_key_trace(const std::string& path,
                                      const std::vector<FieldDefinition>& fields,
                                      Diagnostics& diagnostics);

}  // namespace nplab::workloads
