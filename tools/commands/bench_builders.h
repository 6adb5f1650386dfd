// nplab bench builders: how long the table builders take on large rule sets, as JSON.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

void add_bench_builders_command(CLI::App& bench, int& status);

}  // namespace nplab::tools
