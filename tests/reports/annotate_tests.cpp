#include "reports/annotate.h"

#include <catch2/catch.hpp>

#include "sample_records.h"

namespace nplab::reports {
namespace {

// Engine 0: 850 of 1000 cycles on three lines, 150 idle. Engine 1: 250 on one of them, 750 idle.
RunRecord annotated_record() {
  RunRecord record = sample_record();
  record.lines = {{0, "rcv.c", 2, true, 400, 150, 50, 600},
                  {0, "rcv.c", 4, false, 200, 50, 0, 0},
                  {1, "rcv.c", 4, false, 240, 0, 0, 20},
                  {1, "<generated>", 0, false, 10, 0, 0, 0}};
  record.sources = {{"rcv.c", "int main(void) {\n  while (empty()) {}\n\n  take();\n}\n"}};
  return record;
}

}  // namespace

TEST_CASE("The hottest lines come first, a line's cycles of all engines added up") {
  CHECK(render_annotated(annotated_record(), {}) ==
        R"(   executing      aborted      stalled share %      waiting    source line
         400          150           50   30.00          600 p  rcv.c:2  while (empty()) {}
         440           50            0   24.50           20    rcv.c:4  take();
          10            0            0    0.50            0    <generated>
         850          200           50   55.00          620 p   all lines; idle 900 cycles, 45.0 %
)");
}

TEST_CASE("Of one engine only its own cycles are shown and shared out") {
  AnnotateOptions options;
  options.engine = 1;
  const std::string text = render_annotated(annotated_record(), options);
  CHECK(text.find("         240            0            0   24.00           20    rcv.c:4  take();\n") !=
        std::string::npos);
  CHECK(text.find("rcv.c:2") == std::string::npos);
  CHECK(text.find("25.00           20     all lines; idle 750 cycles, 75.0 %\n") != std::string::npos);
}

TEST_CASE("In place every line of a file is shown, with figures where it has any") {
  AnnotateOptions options;
  options.order = AnnotateOptions::Order::kSource;
  options.file = "rcv.c";
  const std::string text = render_annotated(annotated_record(), options);
  CHECK(text.find("         400          150           50   30.00          600 p     2    while (empty()) {}\n") !=
        std::string::npos);
  CHECK(text.find("\n" + std::string(66, ' ') + "1  int main(void) {\n") != std::string::npos);
  CHECK(text.find("<generated>") == std::string::npos);
}

TEST_CASE("Lines beyond the number asked for are counted, not dropped silently") {
  AnnotateOptions options;
  options.most_lines = 1;
  const std::string text = render_annotated(annotated_record(), options);
  CHECK(text.find("rcv.c:4") == std::string::npos);
  CHECK(text.find("... 2 more lines\n") != std::string::npos);
}

TEST_CASE("A line whose source is not in the record is shown without text") {
  RunRecord record = annotated_record();
  record.sources.clear();
  CHECK(render_annotated(record, {}).find(" p  rcv.c:2\n") != std::string::npos);
}

}  // namespace nplab::reports
