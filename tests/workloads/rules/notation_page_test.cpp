// Follows docs/extending/adding-a-rule-notation.md: the reader that the page shows is compiled as
// it stands there.
#include "tests/workloads/test_inputs.h"
#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {

#include "rule_notation_page.gen.inc"

}  // namespace nplab::workloads

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

TEST_CASE("the notation shown on the page reads routes") {
  const InputFile file = input("routes\n10.1.0.0/16 forward:3\n0.0.0.0/0 deny\n");
  CHECK(kRoutes.recognises(file.bytes));
  Diagnostics diagnostics;
  const auto rules = kRoutes.read(file, {}, diagnostics);
  REQUIRE(rules);
  REQUIRE(rules->rules().size() == 2);
  CHECK(rules->rules()[0].ranges[1] == Range{0x0A010000, 0x0A01FFFF});
  CHECK(rules->rules()[0].ranges[0] == any_value(rules->fields()[0]));
  CHECK(rules->rules()[0].action == Action::forward(3));
  CHECK(rules->rules()[1].action == Action::deny());
}

TEST_CASE("the notation shown on the page reports all errors with line and column") {
  Diagnostics diagnostics;
  CHECK_FALSE(kRoutes.read(input("routes\n10.1.0.0/16\n10.1.0.0/33 deny\n"), {}, diagnostics));
  REQUIRE(diagnostics.errors().size() == 2);
  CHECK(diagnostics.errors()[0].location == SourceLocation{"in", 2, 1});
  CHECK(diagnostics.errors()[1].location.line == 3);
}
