#include "reports/record/lean_record.h"

#include <catch2/catch.hpp>

#include "reports/analysis/invariants.h"
#include "reports/html/html_report.h"
#include "reports/text/csv_report.h"
#include "reports/text/text_report.h"
#include "tests/reports/sample_records.h"

namespace nplab::reports {
namespace {

RunRecord lean_sample() {
  RunRecord record = sample_record();
  make_lean(record);
  return record;
}

}  // namespace

TEST_CASE("a lean record names what it leaves out, and has all else") {
  const RunRecord full = sample_record(), lean = lean_sample();
  CHECK(lean.left_out == std::vector<std::string>{"lines", "programs", "sources"});
  CHECK(lean.lines.empty());
  CHECK(lean.programs.empty());
  CHECK(lean.sources.empty());
  RunRecord restored = lean;
  restored.left_out = {};
  restored.lines = full.lines;
  restored.programs = full.programs;
  restored.sources = full.sources;
  CHECK(restored == full);
  CHECK_FALSE(is_lean(full));
}

TEST_CASE("a lean record is read as it was written, and breaks no invariant") {
  Diagnostics diagnostics;
  const auto read = read_records(to_json(lean_sample()), "run.json", diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(read.size() == 1);
  CHECK(read.front() == lean_sample());
  CHECK(check_invariants(lean_sample()).empty());
  CHECK(to_json(sample_record()).find("left_out") == std::string::npos);
}

TEST_CASE("every report is rendered from a lean record, without lines") {
  const RunRecord lean = lean_sample();
  CHECK(render_run(lean).find(sample_record().inputs.mapping.name) != std::string::npos);
  CHECK(render_compare({lean, other_record()}).find("other") != std::string::npos);
  CHECK_FALSE(render_csv({lean}).empty());
  CHECK(render_html({lean}).find("a lean record holds no lines") != std::string::npos);
  CHECK(render_html({sample_record()}).find("a lean record") == std::string::npos);
}

}  // namespace nplab::reports
