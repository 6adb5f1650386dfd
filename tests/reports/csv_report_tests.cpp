#include "reports/text/csv_report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "sample_records.h"

namespace nplab::reports {
namespace {

bool has_line(const std::string& csv, const std::string& line) {
  INFO(csv);
  return csv.find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("CSV holds every figure of every table in long form") {
  RunRecord record = sample_record();
  record.lines = {{0, "rcv.c", 12, true, 600, 200, 50, 600}};
  const std::string csv = render_csv({record});
  CHECK(csv.starts_with("table,run,row,column,value,unit\n"));
  for (const char* line :
       {"overall,ls,microengine_cycles,value,1000,cycles", "overall,ls,sdram_active,value,12.5,%",
        "packets,ls,latency_p90,value,300,cycles", "engines,ls,1,role,xmit,",
        "engines,ls,0,mips,60,Mips", "ports,ls,1,receive_rate,304,Mb/s",
        "memory,ls,sram,latency_mean,22.5,cycles", "memory,ls,scratch,latency_mean,,cycles",
        "queues,ls,rcv.0 to xmit.0,refused,1,entries", "host,ls,wall_s,value,0.5,s",
        "threads,ls,0.1,waiting_sram,300,cycles", "aborted_by,ls,0.swap,value,80,cycles",
        "lines,ls,0.rcv.c:12.poll,stalled,50,cycles"}) {
    INFO(line);
    CHECK(has_line(csv, line));
  }
}

TEST_CASE("CSV names each run and keeps full precision") {
  RunRecord second = other_record();
  second.rates_mbps.receive = 1.0 / 3;
  const std::string csv = render_csv({sample_record(), second});
  CHECK(has_line(csv, "overall,ls,packets_sent,value,6,packets"));
  CHECK(has_line(csv, "overall,other,packets_sent,value,7,packets"));
  CHECK(has_line(csv, "overall,other,receive_rate,value,0.3333333333333333,Mb/s"));
  CHECK(has_line(csv, "packets,other,dropped_other.no_buffer,value,1,packets"));
}

TEST_CASE("CSV quotes fields with commas and quotes") {
  RunRecord record = sample_record();
  record.queues[0].name = "rcv, \"all\"";
  CHECK(has_line(render_csv({record}), "queues,ls,\"rcv, \"\"all\"\"\",peak,3,entries"));
}

TEST_CASE("Every CSV line has six fields") {
  std::istringstream lines(render_csv({sample_record(), other_record()}));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(std::count(line.begin(), line.end(), ',') == 5);
  }
}

}  // namespace nplab::reports
