#include <catch2/catch.hpp>

#include "workloads/classifier.h"
#include "workloads/workload.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

Workload published() {
  Diagnostics diagnostics;
  WorkloadOptions options;
  options.file = NPLAB_SOURCE_DIR "/workloads/published.yaml";
  auto workload = resolve_workload(options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(workload);
  return std::move(*workload);
}

}  // namespace

TEST_CASE("the published rules answer the published vectors") {
  const Workload workload = published();
  const ReferenceClassifier classifier(workload.rules);
  const auto answer = [&](Key key) { return classifier.classify(key); };
  CHECK(answer({10, 2, 8}) == RuleIndex(0));
  CHECK(answer({11, 4, 11}) == RuleIndex(0));
  CHECK(answer({6, 8, 1}) == RuleIndex(1));
  CHECK(answer({9, 5, 14}) == RuleIndex(2));
  CHECK(answer({7, 3, 9}) == RuleIndex(3));
  CHECK(answer({12, 4, 11}) == std::nullopt);
  CHECK(answer({10, 5, 11}) == std::nullopt);
  CHECK(answer({0, 0, 0}) == std::nullopt);
}
