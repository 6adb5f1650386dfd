// Captures out: frames with their times, for tcpdump and its kin.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "support/diagnostics.h"
#include "support/unfinished_file.h"

// Of libpcap.
struct pcap;
struct pcap_dumper;

namespace nplab::workloads {

// Writes a pcap file of Ethernet frames with times in nanoseconds, by libpcap. The frame check
// sequence is left out, as network interfaces do and readers expect (tcpdump would call it trailing
// bytes). The file appears under its name, complete, at `commit`; before that, and if there is no
// commit, nothing stands there.
class PcapWriter {
 public:
  explicit PcapWriter(std::string path);
  ~PcapWriter();
  PcapWriter(const PcapWriter&) = delete;
  PcapWriter& operator=(const PcapWriter&) = delete;

  // Adds one frame (frame check sequence included) at a time since the run's start; times must not
  // decrease.
  void add(std::uint64_t nanoseconds, std::span<const std::uint8_t> frame);

  // Puts the finished file in its place. What went wrong since the start (a folder missing, a full
  // disk) is reported here; then there is no file, and the answer is false.
  bool commit(Diagnostics& diagnostics);

 private:
  struct Close {
    void operator()(pcap* capture) const;
    void operator()(pcap_dumper* dumper) const;
  };

  UnfinishedFile file_;
  std::unique_ptr<pcap, Close> capture_;
  std::unique_ptr<pcap_dumper, Close> dumper_;  // writes to file_; none after the commit
  std::uint64_t last_nanoseconds_ = 0;
};

}  // namespace nplab::workloads
