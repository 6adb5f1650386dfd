#include "tests/tools/support/browser.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

namespace nplab::tools::testing {
namespace {

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

constexpr const char* kWatch =
    "<script>window.problems = []; addEventListener('error', event => "
    "problems.push(event.message));"
    "</script>";

// The page waits for the probe: until its result is in the document, virtual time goes on.
std::string with_probe(std::string html, const std::string& probe) {
  html.insert(html.find("<style>"), kWatch);
  return html.insert(html.rfind("</body>"), R"(<script>
(async () => {
  const found = {};
  const wait = cycles => new Promise(done => setTimeout(done, cycles));
  const figureIn = text => Number(text.replaceAll(',', ''));
  try {
    await reportReady;
)" + probe + R"(
  } catch (error) { problems.push(String(error.stack)); }
  found.errors = problems;
  found.loaded = performance.getEntriesByType('resource').map(entry => entry.name);
  const result = document.createElement('pre');
  result.id = 'probe-result';
  result.textContent = JSON.stringify(found);
  document.body.append(result);
})();
</script>
)");
}

// Opens a page and does with it what `task`, the browser's options, says.
Outcome open_page(const std::string& browser, const ScratchFolder& folder, const std::string& html,
                  const Words& task) {
  Words words{"--headless",
              "--no-sandbox",
              "--disable-gpu",
              "--disable-quic",
              "--no-first-run",
              "--disable-background-networking",
              "--disable-component-update",
              "--disable-sync",
              "--disable-dev-shm-usage",
              "--user-data-dir=" + folder.file("profile"),
              "--window-size=1200,1000",
              "--virtual-time-budget=20000"};
  words.insert(words.end(), task.begin(), task.end());
  words.push_back("file://" + folder.write("page.html", html));
  return run_program(browser, words);
}

}  // namespace

std::optional<std::string> find_program(const std::vector<const char*>& names) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const char* name : names)
      if (fs::exists(fs::path(folder) / name))
        return (fs::path(folder) / name).string();
  return std::nullopt;
}

std::optional<std::string> browser_program() {
  return find_program({"chromium", "chromium-browser", "google-chrome"});
}

std::optional<std::string> printed_text(const std::string& browser, const std::string& html) {
  const auto reader = find_program({"pdftotext"});
  if (!reader)
    return std::nullopt;
  const ScratchFolder folder;
  const std::string print = folder.file("page.pdf");
  const Outcome printed =
      open_page(browser, folder, html, {"--no-pdf-header-footer", "--print-to-pdf=" + print});
  INFO(printed.err.substr(0, 2000));
  REQUIRE(fs::exists(print));
  const Outcome read = run_program(*reader, {"-layout", print, "-"});
  REQUIRE(read.status == 0);
  return read.out;
}

nlohmann::json probe_page(const std::string& browser, const std::string& html,
                          const std::string& probe, const Words& options) {
  const ScratchFolder folder;
  const Outcome outcome =
      open_page(browser, folder, with_probe(html, probe), options + Words{"--dump-dom"});
  const std::string open = "<pre id=\"probe-result\">";
  const auto begin = outcome.out.rfind(open);
  INFO(outcome.err.substr(0, 2000));
  REQUIRE(begin != std::string::npos);
  std::string text = outcome.out.substr(begin + open.size());
  text = text.substr(0, text.find("</pre>"));
  text = replace_all(replace_all(replace_all(text, "&lt;", "<"), "&gt;", ">"), "&amp;", "&");
  return nlohmann::json::parse(text);
}

}  // namespace nplab::tools::testing
