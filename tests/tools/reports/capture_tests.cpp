// --pcap-out: what each port received and sent, as other tools read it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/support/capture_file.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

constexpr unsigned kPorts = 4;

struct PortCaptures {
  std::vector<CapturedFrame> received;
  std::vector<CapturedFrame> sent;
};

// A port without a frame may have no file.
std::vector<CapturedFrame> frames_of(const fs::path& path) {
  return fs::exists(path) ? read_capture(path.string()) : std::vector<CapturedFrame>{};
}

PortCaptures captures_of(const fs::path& folder, unsigned port) {
  const std::string start = "port" + std::to_string(port);
  return {frames_of(folder / (start + "-rx.pcap")), frames_of(folder / (start + "-tx.pcap"))};
}

std::vector<std::string> sorted_bytes(const std::vector<CapturedFrame>& frames) {
  std::vector<std::string> bytes;
  for (const CapturedFrame& frame : frames)
    bytes.push_back(frame.bytes);
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

bool times_do_not_decrease(const std::vector<CapturedFrame>& frames) {
  return std::is_sorted(frames.begin(), frames.end(), [](const auto& one, const auto& two) {
    return one.nanoseconds < two.nanoseconds;
  });
}

void run_into(const fs::path& folder, const Words& words) {
  const Outcome outcome =
      call_nplab(Words{"run"} + words + Words{"--quiet", "--pcap-out", folder.string()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

const Words kAllAllowed{"bv1", "--packets", "300", "--arrival", "lossless", "--drain"};
const Words kThreeFates{"bv1",
                        "--rules",
                        data_file("three-fates.rules.yaml"),
                        "--traffic",
                        "gen:hit=0.5,count=300,size=imix",
                        "--packets",
                        "300",
                        "--arrival",
                        "lossless",
                        "--drain"};

}  // namespace

TEST_CASE("the option --pcap-out makes its folder and writes a file a port and direction",
          "[capture]") {
  const ScratchFolder folder;
  run_into(folder.path() / "new" / "captures", kAllAllowed);
  for (unsigned port = 0; port < kPorts; ++port) {
    const std::string start = "new/captures/port" + std::to_string(port);
    CHECK(fs::exists(folder.path() / (start + "-rx.pcap")));
    CHECK(fs::exists(folder.path() / (start + "-tx.pcap")));
  }
}

TEST_CASE("a comparison keeps the captures of its runs apart", "[capture]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"compare", "ls", "bv1", "--packets", "50", "--quiet", "--pcap-out",
                      folder.path().string()})
              .status == 0);
  CHECK(fs::exists(folder.path() / "ls" / "port0-rx.pcap"));
  CHECK(fs::exists(folder.path() / "bv1" / "port0-rx.pcap"));
}

TEST_CASE("tcpdump reads every capture without a complaint", "[capture]") {
  const ScratchFolder folder;
  run_into(folder.path(), kThreeFates);
  const auto names = folder.names();
  REQUIRE(names.size() >= 2 * kPorts);
  for (const std::string& name : names) {
    INFO(name);
    const Outcome outcome = run_program("tcpdump", {"-n", "-e", "-r", folder.file(name)});
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, !Contains("truncated"));
    const auto lines = std::count(outcome.out.begin(), outcome.out.end(), '\n');
    CHECK(static_cast<std::size_t>(lines) == read_capture(folder.file(name)).size());
  }
}

TEST_CASE("when all is allowed each port sends what it received, byte for byte and once",
          "[capture]") {
  const ScratchFolder folder;
  run_into(folder.path(), kAllAllowed);
  for (unsigned port = 0; port < kPorts; ++port) {
    INFO("port " << port);
    const PortCaptures captures = captures_of(folder.path(), port);
    CHECK(captures.received.size() == 75);
    CHECK(sorted_bytes(captures.sent) == sorted_bytes(captures.received));
  }
}

TEST_CASE("what a port sends is part of what it received, byte for byte", "[capture]") {
  const ScratchFolder folder;
  run_into(folder.path(), kThreeFates);
  std::size_t sent = 0;
  std::size_t received = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    INFO("port " << port);
    const PortCaptures captures = captures_of(folder.path(), port);
    const auto in = sorted_bytes(captures.received);
    const auto out = sorted_bytes(captures.sent);
    CHECK(std::includes(in.begin(), in.end(), out.begin(), out.end()));
    received += in.size();
    sent += out.size();
  }
  CHECK(received == 300);
  CHECK(sent > 0);
  CHECK(sent < received);
}

TEST_CASE("the number of frames in the captures is the number in the record", "[capture]") {
  const ScratchFolder folder;
  const ScratchFolder records;
  run_into(folder.path(), kThreeFates + Words{"--json", records.file("run.json")});
  const auto record = read_json(records.file("run.json"));
  for (unsigned port = 0; port < kPorts; ++port) {
    INFO("port " << port);
    const PortCaptures captures = captures_of(folder.path(), port);
    CHECK(record.at("ports")[port].at("received") == captures.received.size());
    CHECK(record.at("ports")[port].at("sent") == captures.sent.size());
  }
}

TEST_CASE("the time stamps of a capture do not decrease and lie within the simulated time",
          "[capture]") {
  const ScratchFolder folder;
  const ScratchFolder records;
  run_into(folder.path(), kAllAllowed + Words{"--json", records.file("run.json")});
  const double seconds = read_json(records.file("run.json")).at("simulated_seconds");
  for (unsigned port = 0; port < kPorts; ++port) {
    const PortCaptures captures = captures_of(folder.path(), port);
    for (const auto& frames : {captures.received, captures.sent}) {
      REQUIRE_FALSE(frames.empty());
      CHECK(times_do_not_decrease(frames));
      CHECK(static_cast<double>(frames.back().nanoseconds) <= seconds * 1e9);
      CHECK(frames.front().nanoseconds > 0);
    }
  }
}

TEST_CASE("the least time between a frame's two stamps is the least latency in the record",
          "[capture]") {
  const ScratchFolder folder;
  const ScratchFolder records;
  run_into(folder.path(), {"bv1", "--packets", "1", "--drain", "--json", records.file("run.json")});
  const auto record = read_json(records.file("run.json"));
  const PortCaptures captures = captures_of(folder.path(), 0);
  REQUIRE(captures.received.size() == 1);
  REQUIRE(captures.sent.size() == 1);
  const double nanoseconds =
      static_cast<double>(captures.sent[0].nanoseconds - captures.received[0].nanoseconds);
  const double cycles = record.at("latency_cycles").at("min");
  const double core_hz = record.at("clocks").at("core_hz");
  CHECK(nanoseconds == Approx(cycles / core_hz * 1e9).margin(2));
}

TEST_CASE("what a run received can be played again and is classified the same", "[capture]") {
  const ScratchFolder folder;
  run_into(folder.path(), kThreeFates);
  const std::size_t sent = captures_of(folder.path(), 1).sent.size();
  const auto record = record_of({"bv1", "--rules", data_file("three-fates.rules.yaml"), "--traffic",
                                 folder.file("port1-rx.pcap"), "--packets", "0", "--arrival",
                                 "lossless", "--drain"});
  CHECK(record.at("packets").at("offered") == captures_of(folder.path(), 1).received.size());
  CHECK(record.at("packets").at("sent") == sent);
}
