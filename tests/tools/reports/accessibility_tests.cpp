// The pages against an accessibility checker, in a browser, light and dark.
#include <catch2/catch.hpp>

#include "tests/tools/support/accessibility_checker.h"
#include "tests/tools/support/html_page.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

// What the checker finds serious or critical, with everything open. Of rows, listings and runs of
// one kind the first few are enough: its time grows with the square of the page.
const std::string kCheck = R"(
  for (const listing of [...document.querySelectorAll('.sources details')].slice(1)) listing.remove();
  for (const section of [...document.querySelectorAll('main > section')].slice(2)) section.remove();
  document.querySelector('button.words')?.click();
  for (const body of document.querySelectorAll('tbody')) for (const row of [...body.rows].slice(6)) row.remove();
  for (const details of document.querySelectorAll('details')) details.open = true;
  const {violations, passes} = await axe.run(document, {resultTypes: ['violations']});
  const isGrave = ({impact}) => impact === 'serious' || impact === 'critical';
  found.grave = violations.filter(isGrave).map(({id, nodes}) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`);
  found.rules = passes.map(({id}) => id);
)";

json check_page(const std::string& browser, const std::string& checker, std::string html,
                const Words& options) {
  html.insert(html.rfind("</body>"), "<script>" + checker + "</script>\n");
  return probe_page(browser, html, kCheck, options);
}

std::string explore_page() {
  const ScratchFolder folder;
  const std::string space = folder.write(
      "s.yaml", "space: small\nothers: first\nstages: {most: 2}\nengines: {per_stage: [1, 2]}\n");
  const Outcome outcome = call_nplab({"explore", "hicuts", "--space", space, "--packets", "400",
                                      "--runs", "3", "--out", folder.file("found"), "--quiet"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return read_text(folder.file("found/index.html"));
}

std::string comparison_page() {
  const ScratchFolder folder;
  const Outcome outcome =
      call_nplab({"compare", "ls", "bv2", "--packets", "200", "--html", folder.file("c.html")});
  REQUIRE(outcome.status == 0);
  return read_text(folder.file("c.html"));
}

void check_for_grave_findings(const std::string& browser, const std::string& checker,
                              const std::string& name, const std::string& html,
                              const Words& options) {
  INFO(name << (options.empty() ? ", light" : ", dark"));
  const json found = check_page(browser, checker, html, options);
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("grave") == json::array());
  CHECK(found.at("rules").size() > 15);  // it did look
}

constexpr const char* kNoChecker = "skipped: npm cannot fetch axe-core (no npm, or no registry)";

}  // namespace

TEST_CASE("an accessibility checker finds nothing serious in a run's page, and faults elsewhere",
          "[html_accessibility]") {
  REQUIRE_BROWSER();
  const auto checker = accessibility_checker();
  if (!checker) {
    WARN(kNoChecker);
    return;
  }
  check_for_grave_findings(*browser, *checker, "run", bv1_report().html, {});
  const std::string faulty =
      "<!DOCTYPE html><html><head><title>x</title><style></style></head><body><main><h1>x</h1>"
      "<script>const reportReady = null;</script><button></button></main></body></html>";
  const json found = check_page(*browser, *checker, faulty, {});
  CHECK(found.at("grave").size() == 2);  // a button without a name, a page without a language
}

TEST_CASE("an accessibility checker finds nothing serious in the pages of run, compare and explore",
          "[.full]") {
  REQUIRE_BROWSER();
  const auto checker = accessibility_checker();
  if (!checker) {
    WARN(kNoChecker);
    return;
  }
  const std::vector<std::pair<std::string, std::string>> pages{
      {"run", bv1_report().html}, {"compare", comparison_page()}, {"explore", explore_page()}};
  for (const auto& [name, html] : pages) {
    for (const Words& options : {Words{}, Words{"--blink-settings=preferredColorScheme=0"}})
      check_for_grave_findings(*browser, *checker, name, html, options);
  }
}
