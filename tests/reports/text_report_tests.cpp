#include "reports/text/text_report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "reports/analysis/derive.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

bool has_line(const std::string& text, const std::string& wanted) {
  for (const std::string& line : lines_of(text)) {
    if (line == wanted)
      return true;
  }
  return false;
}

// Counts as large as the published experiment's, on six engines, with long names.
RunRecord large_record() {
  RunRecord r = sample_record();
  r.inputs.mapping.name = "mappings/bit-vector/a-long-name-of-a-mapping.yaml";
  r.cycles = {2'322'608'314, 929'043'326};
  r.packets.offered = r.packets.received = r.packets.classified = 75'000'000;
  r.packets.dropped_other = {{"a_reason_that_needs_many_words_to_say", 12'345'678}};
  r.latency_cycles = {1'000, 200'000, 3'000'000, 40'000'000, 500'000'000};
  r.ports[0].received = r.ports[0].sent = 18'750'000;
  r.memory.sram.references = r.memory.sram.longwords = 1'234'567'890;
  r.engines.assign(6, r.engines[0]);
  for (Count id = 0; id < 6; ++id) {
    r.engines[id].id = id;
    r.engines[id].role = "classification of one dimension";
    r.engines[id].instructions = 1'742'000'000;
  }
  fill_derived(r);
  return r;
}

void check_width(const std::string& text, std::size_t width) {
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(line.size() <= width);
    CHECK((line.empty() || line.back() != ' '));
    CHECK(line.find_first_of("\t\x1b") == std::string::npos);
  }
}

constexpr const char* kRunGolden = R"(Run ls
------
  mapping   mappings/ls/ls.yaml
  chip      small
  rules     four.rules
  traffic   gen:hits
            frames of 64 bytes with FCS, gap of 12 bytes
  options   packets 10, seed 1, arrival wire, ports 0-1, l4-key transport, set mapping.entries=4,
            mode lockstep

Overall
  microengine cycles   1000 cycles
  IX bus cycles         400 cycles
  packets received       10 packets
  packets sent            6 packets
  sent / received      60.0 %
  receive rate        760.0 Mb/s
  transmit rate       912.0 Mb/s
  SDRAM active         12.5 %
  SDRAM rate          400.0 Mb/s
  SRAM active          50.0 %
  SRAM rate           800.0 Mb/s
  scratch active        0.0 %
  scratch rate          0.0 Mb/s

Packets
  offered                      12 packets
  missed by the media device    1 packets
  received                     10 packets
  sent                          6 packets
  denied                        1 packets
  no match                      1 packets
  dropped, queue full           1 packets
  in flight at the stop         1 packets
  classified                    8 packets
  misclassified                 0 packets
  reordered                     0 packets
  reordered within a port       0 packets
  latency, min                100 cycles
  latency, median             150 cycles
  latency, 90th percentile    300 cycles
  latency, 99th percentile    310 cycles
  latency, max                310 cycles

Microengines
            role  executing %  aborted %  stalled %  idle %  Mips  instructions  words
  engine 0  rcv          60.0       20.0        5.0    15.0  60.0           600    120
  engine 1  xmit         25.0        0.0        0.0    75.0  25.0           250     64

Ports
          received  sent  overflow  receive rate Mb/s  transmit rate Mb/s
  port 0         6     4         1              456.0               608.0
  port 1         4     2         0              304.0               304.0

Memory references
           references  longwords  moved Mb/s  queue peak  latency mean cycles  latency p99 cycles
  SRAM             10         40       128.0           3                 22.5                  40
  SDRAM             4         32       102.4           1                 40.0                  50
  scratch           0          0         0.0           0                    -                   -

Queues
                   rings  entries  peak  enqueued  dequeued  refused
  rcv.0 to xmit.0      1        4     3         7         6        1

Simulation
  simulated time           0.010 ms
  wall time                 0.50 s
  chip cycles per second    4.00 M/s
  instructions per second   3.40 M/s

Verification of ls: 8 packets classified, 0 misclassified; every check held.
)";

}  // namespace

TEST_CASE("The report of a run shows every table") {
  RunRecord record = sample_record();
  record.host.core_cycles_per_s = 4'000'000;
  record.host.instructions_per_s = 3'400'000;
  CHECK(render_run(record) == kRunGolden);
}

TEST_CASE("A run without queues and ports has no empty tables") {
  RunRecord record = sample_record();
  record.queues.clear();
  record.ports.clear();
  const std::string text = render_run(record);
  CHECK_FALSE(has_line(text, "Queues"));
  CHECK_FALSE(has_line(text, "Ports"));
}

TEST_CASE("Latencies of nothing are dashes") {
  RunRecord record = sample_record();
  record.packets.sent = 0;
  CHECK(has_line(render_run(record), "  latency, max                 - cycles"));
}

TEST_CASE("Broken checks end the report, one sentence each, wrapped") {
  RunRecord record = sample_record();
  record.packets.in_flight = 3;
  record.packets.misclassified = 2;
  const std::string text = render_run(record);
  CHECK(text.ends_with(
      "Verification of ls FAILED: 8 packets classified, 2 misclassified; 2 checks violated:\n"
      "  - packets: 10 received, but sent 6 + denied 1 + no match 1 + dropped at a full queue 1 + "
      "dropped\n"
      "    for other reasons 0 + in flight 3 = 12\n"
      "  - packets: 2 of 8 classified packets got a different rule than the reference "
      "classifier's\n"));
}

TEST_CASE("A failed run ends with its failure and what belongs to it") {
  RunRecord record = sample_record();
  record.failure =
      Failure{"deadlock", "no progress for 1000 cycles", {"engine 0 thread 1 waits for sram"}};
  CHECK(
      render_run(record).ends_with("no check failed before the run ended.\n"
                                   "Run ls FAILED (deadlock): no progress for 1000 cycles\n"
                                   "  - engine 0 thread 1 waits for sram\n"));
}

TEST_CASE("A comparison shows each run's figures with differences from the first") {
  const std::string text = render_all_figures({sample_record(), other_record()});
  for (const char* line :
       {"                                                  ls        other  difference        %",
        "  packets received           packets/s       1000000      1000000          +0    +0.0%",
        "  packets sent               packets/s        600000       700000     +100000   +16.7%",
        "  transmit rate              Mb/s              912.0       1064.0      +152.0   +16.7%",
        "  no match                   % offered           8.3          0.0        -8.3  -100.0%",
        "  scratch active             %                   0.0          0.0        +0.0        -",
        "  dropped, no_buffer         % offered             -          8.3           -        -",
        "  engine 0 role                                  rcv          rcv",
        "  engine 0 aborted           %                  20.0         14.0        -6.0   -30.0%",
        "  SRAM latency mean          cycles             22.5         22.5        +0.0    +0.0%"}) {
    INFO(line << "\nin\n" << text);
    CHECK(has_line(text, line));
  }
  CHECK(text.ends_with(
      "Verification of ls: 8 packets classified, 0 misclassified; every check held.\n"
      "Verification of other: 8 packets classified, 0 misclassified; every check held.\n"));
}

TEST_CASE("A difference of more than the column holds is shown as such") {
  RunRecord from = sample_record();
  RunRecord to = other_record();
  from.memory.sram.references = 1;
  to.memory.sram.references = 101;
  to.latency_cycles.max = 31310;
  const std::string text = render_all_figures({from, to});
  CHECK(has_line(
      text,
      "  SRAM references            per packet          0.1         10.1       +10.0   >9999%"));
  CHECK(has_line(
      text,
      "  latency, max               cycles              310        31310      +31000   >9999%"));
}

TEST_CASE("A figure that only a later run has stands where its table has it") {
  const std::vector<std::string> lines =
      lines_of(render_all_figures({sample_record(), other_record()}));
  const auto found = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("  dropped, no_buffer");
  });
  REQUIRE(found != lines.end());
  CHECK((found - 1)->starts_with("  dropped, queue full"));
}

TEST_CASE("Runs of the same mapping have names of their own") {
  const std::string text = render_all_figures({sample_record(), sample_record(), other_record()});
  CHECK(has_line(
      text,
      "                                                  ls         ls#2  difference        %"
      "        other  difference        %"));
  CHECK(has_line(text, "Run ls#2"));
}

TEST_CASE("More than three runs are shown in blocks beside the first") {
  const RunRecord a = sample_record();
  const RunRecord b = other_record();
  const std::string text = render_all_figures({a, b, b, b});
  CHECK(has_line(
      text,
      "                                                  ls        other  difference        %"
      "      other#2  difference        %"));
  CHECK(has_line(
      text,
      "                                                  ls      other#3  difference        %"));
}

TEST_CASE("A comparison of one run is its figures alone, and of none is empty") {
  CHECK(has_line(render_all_figures({sample_record()}),
                 "  packets sent               packets/s        600000"));
  CHECK(render_all_figures({}) == "");
}

TEST_CASE("Reports of large runs keep their width, with neither colour nor spaces at line ends") {
  const RunRecord record = large_record();
  check_width(render_run(sample_record()), 100);
  check_width(render_run(record), 100);
  check_width(render_all_figures({record, sample_record(), record}), 120);
  check_width(render_published({record, sample_record()}), 100);
}

}  // namespace nplab::reports
