// Keys of any fields: places in the frame one after the other, and traces of such keys.
#include "tests/paths.h"
#include "tests/workloads/test_inputs.h"

#include "workloads/workload.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

const std::string kRules =
    "# port:32E mac:48E tag:3E label:64R address:32P\n"
    "0x1 0xa1b2c3d4e5f6 * * 10.0.0.0/8\n"
    "0x1 * 5 0x1122334455667788-0xffffffffffffffff *\n";
const std::string kTrace =
    "1 a1b2c3d4e5f6 7 0 a010203 0\n"
    "1 0 5 ffffffffffffffff 0 1\n"
    "2 0 5 ffffffffffffffff 0 -1\n";

std::optional<Workload> resolve(const TemporaryFolder& folder, const std::string& rules,
                                const std::string& trace, Diagnostics& diagnostics) {
  WorkloadOptions options;
  options.file = source_path("workloads/published.yaml");
  options.rules = folder.write("a.rules", rules);
  options.traffic = {folder.write("a.trace", trace)};
  return resolve_workload(options, diagnostics);
}

}  // namespace

TEST_CASE("fields of an OpenFlow set lie one after the other from the frame's first bit") {
  const auto rules = rules_from(kRules);
  const std::vector<FramePosition> expected = {{0, 0}, {4, 0}, {10, 0}, {10, 3}, {18, 3}};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(rules.fields()[i].position == expected[i]);
}

TEST_CASE("a trace of keys becomes frames that carry them, and its column is what is expected") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  const auto workload = resolve(folder, kRules, kTrace, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(workload);
  CHECK(workload->key.is_packed());
  const auto& packets = workload->traffic.packets();
  REQUIRE(packets.size() == 3);
  CHECK(packets[0].frame.size() == 64);
  CHECK(packets[0].key == Key{1, 0xa1b2c3d4e5f6, 7, 0, 0xa010203});
  CHECK(packets[1].key == Key{1, 0, 5, ~std::uint64_t{0}, 0});
  const auto answers = reference_answers(*workload);
  CHECK(answers[0] == RuleIndex(0));
  CHECK(answers[1] == RuleIndex(1));
  CHECK_FALSE(answers[2]);
}

TEST_CASE("a trace of keys that expects another rule is refused at its line") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  CHECK_FALSE(resolve(folder, kRules, "1 0 5 ffffffffffffffff 0 0\n" + kTrace, diagnostics));
  CHECK(diagnostics.to_string() ==
        folder.file("a.trace") +
            ":1:1: error: the trace expects rule 0 (-1: none), but the first rule of '" +
            folder.file("a.rules") +
            "' that matches is 1; give the rules that the trace was made for, or leave its last "
            "column out\n");
}

TEST_CASE("a trace of keys without a column expects nothing") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  CHECK(resolve(folder, kRules, "1 0 5 ffffffffffffffff 0\n", diagnostics));
}

TEST_CASE("fields that are too wide for a frame together are refused with their sum") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  const std::string head = "# a:64E b:64E c:64E d:64E e:64E f:64E g:64E h:33E\n";
  CHECK_FALSE(resolve(folder, head + "1 1 1 1 1 1 1 1\n", "1 1 1 1 1 1 1 1\n", diagnostics));
  CHECK(diagnostics.to_string() == folder.file("a.rules") +
                                       ":0:0: error: the 8 fields have 481 bits together; a key of "
                                       "fields without places takes up "
                                       "to 480: the 60 bytes of every frame\n");
  Diagnostics none;
  const std::string fits = "# a:64E b:64E c:64E d:64E e:64E f:64E g:64E h:32E\n";
  CHECK(resolve(folder, fits + "1 1 1 1 1 1 1 1\n", "1 1 1 1 1 1 1 1 0\n", none));
}
