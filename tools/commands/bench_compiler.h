// nplab bench compiler: what the compiler makes of the published experiment and of plain C kernels,
// as JSON.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

void add_bench_compiler_command(CLI::App& bench, int& status);

}  // namespace nplab::tools
