#include "reports/run_difference.h"

#include <catch2/catch.hpp>

#include "sample_records.h"

namespace nplab::reports {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  INFO(text);
  return text.find("\n" + line + "\n") != std::string::npos;
}

// The sample with a line whose text is known; the other mapping's generated file has it at another place.
RunRecord with_line(RunRecord record, const std::string& mapping, Count number, Count executing) {
  record.inputs.mapping.name = mapping;
  std::string text(number - 1, '\n');
  record.lines = {{0, mapping + "-engine0.c", number, false, executing, 0, 0, 0}};
  record.sources = {{mapping + "-engine0.c", text + "  spin();\n"}};
  return record;
}

}  // namespace

TEST_CASE("A run does not differ from itself") {
  const std::string text = render_difference(sample_record(), sample_record(), {});
  CHECK(has_line(text, "Transmit stays at 1500.0 thousand packets/s."));
  CHECK(text.find("difference      before") == std::string::npos);
  CHECK(has_line(text, "  no difference"));
}

TEST_CASE("Rates are told in sentences, in thousand packets a second since the first start of packet") {
  RunRecord after = sample_record();
  after.packets.sent = 3;
  const std::string text = render_difference(sample_record(), after, {});
  CHECK(has_line(text, "Transmit falls by 750.0 thousand packets/s, from 1500.0 to 750.0, -50.0 %."));
}

TEST_CASE("Engine cycles are ranked by the size of their difference a packet sent") {
  RunRecord after = sample_record();
  after.engines[0].cycles.stalled += 120;
  after.engines[1].cycles.idle -= 60;
  const std::string text = render_difference(sample_record(), after, {});
  CHECK(has_line(text, " difference      before       after\n"
                       "      +20.0         8.3        28.3  engine 0 stalled\n"
                       "      -10.0       125.0       115.0  engine 1 idle"));
}

TEST_CASE("Rows beyond the number asked for are counted") {
  RunRecord after = sample_record();
  after.engines[0].cycles.stalled += 120;
  after.engines[1].cycles.idle -= 60;
  CHECK(has_line(render_difference(sample_record(), after, {1}), "                                     ... 1 more"));
}

TEST_CASE("A line that moved between the generated programs of two mappings is one line") {
  const RunRecord before = with_line(sample_record(), "one", 3, 60);
  CHECK(render_difference(before, with_line(sample_record(), "two", 7, 60), {}).find("spin()") == std::string::npos);
  CHECK(has_line(render_difference(before, with_line(sample_record(), "two", 7, 120), {}),
                 "      +10.0        10.0        20.0  engine0.c  spin();"));
}

TEST_CASE("Runs that sent nothing are compared a packet received") {
  RunRecord before = sample_record();
  before.packets.sent = 0;
  RunRecord after = before;
  after.engines[0].cycles.stalled += 50;
  CHECK(has_line(render_difference(before, after, {}), "       +5.0         5.0        10.0  engine 0 stalled"));
}

}  // namespace nplab::reports
