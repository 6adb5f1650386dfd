// nplab bench activity: whether the work of simulating follows the activity of the engines, as
// JSON.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

void add_bench_activity_command(CLI::App& bench, int& status);

}  // namespace nplab::tools
