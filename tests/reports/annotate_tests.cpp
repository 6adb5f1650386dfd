#include "reports/text/annotate.h"
#include "reports/text/annotate_assembly.h"

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

RunRecord record_with_program() {
  RunRecord record = annotated_record();
  Program program;
  program.assembly = {"main#: nop", "br[main#]", "ctx_arb[kill]"};
  program.files = {"rcv.c"};
  program.file = {0, 0, 1};
  program.line = {2, 2, 0};
  program.executing = {300, 100, 50};
  program.aborted = {0, 150, 0};
  program.stalled = {0, 50, 0};
  program.waiting = {0, 0, 600};
  program.references = {0, 100, 0};
  program.longwords = {0, 100, 0};
  program.next = {"+", "0", "end"};
  record.programs = {program};
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

TEST_CASE(
    "Calibration work is one row, not among the hottest lines, unless its file is asked for") {
  RunRecord record = annotated_record();
  record.lines.push_back({1, "mappings/library/unprinted_work.h", 17, false, 500, 100, 0, 0});
  record.lines.push_back({1, "mappings/library/unprinted_work.h", 18, false, 100, 0, 0, 0});
  const std::string text = render_annotated(record, {});
  CHECK(text.find("unprinted_work.h:") == std::string::npos);
  CHECK(
      text.find("         600          100            0   35.00            0     calibration work: "
                "stands for code that was not printed\n") != std::string::npos);
  AnnotateOptions options;
  options.file = "unprinted_work.h";
  CHECK(render_annotated(record, options).find("unprinted_work.h:17") != std::string::npos);
}

TEST_CASE("Words of calibration work are not among the hottest, and their share is said") {
  RunRecord record = record_with_program();
  record.programs[0].files = {"mappings/library/unprinted_work.h"};
  const std::string text = render_annotated_assembly(record, {});
  CHECK(text.find("br[main#]") == std::string::npos);
  CHECK(text.find("ctx_arb[kill]") != std::string::npos);
  CHECK(text.find("calibration work, 30.00 %, is left out") != std::string::npos);
}

TEST_CASE("Of one engine only its own cycles are shown and shared out") {
  AnnotateOptions options;
  options.engine = 1;
  const std::string text = render_annotated(annotated_record(), options);
  CHECK(text.find(
            "         240            0            0   24.00           20    rcv.c:4  take();\n") !=
        std::string::npos);
  CHECK(text.find("rcv.c:2") == std::string::npos);
  CHECK(text.find("25.00           20     all lines; idle 750 cycles, 75.0 %\n") !=
        std::string::npos);
}

TEST_CASE("In place every line of a file is shown, with figures where it has any") {
  AnnotateOptions options;
  options.order = AnnotateOptions::Order::kSource;
  options.file = "rcv.c";
  const std::string text = render_annotated(annotated_record(), options);
  CHECK(text.find("         400          150           50   30.00          600 p     2    while "
                  "(empty()) {}\n") != std::string::npos);
  CHECK(text.find("\n" + std::string(66, ' ') + "1  int main(void) {\n") != std::string::npos);
  CHECK(text.find("<generated>") == std::string::npos);
}

TEST_CASE("Causes and references stand below their line, those of all engines together") {
  RunRecord record = annotated_record();
  record.lines[0].stalled_on = {{"command_bus", 10}, {"sram.order_queue", 40}};
  record.lines[1].references = {{"sram", 5}};
  record.lines[2].references = {{"sram", 6}, {"sdram", 1}};
  record.lines[2].longwords = {{"sdram", 8}, {"sram", 11}};
  record.lines[2].waiting_on = {{"sram", 20}};
  AnnotateOptions options;
  CHECK(render_annotated(record, options).find("sram") == std::string::npos);
  options.causes = true;
  const std::string text = render_annotated(record, options);
  INFO(text);
  CHECK(text.find("while (empty()) {}\n" + std::string(69, ' ') +
                  "stalled on sram.order_queue 40, command_bus 10\n") != std::string::npos);
  CHECK(text.find("take();\n" + std::string(69, ' ') +
                  "waits for sram 20; references sram 11, sdram 1; longwords sram "
                  "11, sdram 8\n") != std::string::npos);
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

TEST_CASE("Instructions are shown in place after their source lines") {
  AnnotateOptions options;
  options.order = AnnotateOptions::Order::kSource;
  CHECK(render_annotated_assembly(record_with_program(), options) ==
        R"(   executing      aborted      stalled share %      waiting   references   word
                                                                         engine 0: 3 words
                                                                         ; rcv.c:2  while (empty()) {}
         300            0            0   15.00            0            0      0  main#: nop
         100          150           50   15.00            0          100      1  br[main#]
                                                                         ; <generated>
          50            0            0    2.50          600            0      2  ctx_arb[kill]
)");
}

TEST_CASE("The hottest instructions come first, each with its engine and source line") {
  AnnotateOptions options;
  options.most_lines = 1;
  CHECK_THAT(render_annotated_assembly(record_with_program(), options),
             Catch::Contains(
                 "         300            0            0   15.00            0            0      0  "
                 "main#: nop  ; engine 0, rcv.c:2  while (empty()) {}\n" +
                 std::string(73, ' ') + "... 2 more words\n"));
}

TEST_CASE("Instructions survive the record's text, and a column of another length is an error") {
  const RunRecord record = record_with_program();
  Diagnostics diagnostics;
  const auto read = from_json(to_json(record), "run.json", diagnostics);
  REQUIRE(read);
  CHECK(*read == record);
  RunRecord broken = record;
  broken.programs[0].stalled.pop_back();
  CHECK_FALSE(from_json(to_json(broken), "run.json", diagnostics));
  CHECK(diagnostics.to_string().find("programs[0]: 'stalled' has 2 entries for 3 words") !=
        std::string::npos);
}

}  // namespace nplab::reports
