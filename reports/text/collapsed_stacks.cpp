#include "reports/text/collapsed_stacks.h"

#include <fmt/format.h>

#include "reports/record/run_names.h"

namespace nplab::reports {
namespace {

// Blanks and semicolons separate; roles and files may hold them.
std::string frame(std::string text) {
  for (char& c : text)
    if (c == ' ' || c == ';')
      c = '_';
  return text;
}

void add_stack(std::string& text, const std::string& stack, Count cycles) {
  if (cycles > 0)
    text += fmt::format("{} {}\n", stack, cycles);
}

// One stack for each use of a line.
std::string use_of(const Line& line) {
  if (!line.poll)
    return "";
  return line.work == "blocked" || line.work == "lock_spin" ? "_(" + line.work + ")" : "_(poll)";
}

}  // namespace

std::string render_collapsed_stacks(const RunRecord& record) {
  std::string text;
  for (const Engine& engine : record.engines) {
    const std::string base = frame(mapping_name(record)) + ";" +
                             frame(fmt::format("engine {} {}", engine.id, engine.role));
    for (const Line& line : record.lines) {
      if (line.engine != engine.id)
        continue;
      const std::string file = frame(line.file);
      const std::string stack =
          fmt::format("{};{};{}:{}{}", base, file, file, line.line, use_of(line));
      add_stack(text, stack + ";executing", line.executing);
      add_stack(text, stack + ";aborted", line.aborted);
      add_stack(text, stack + ";stalled", line.stalled);
    }
    add_stack(text, base + ";idle", engine.cycles.idle);
  }
  return text;
}

}  // namespace nplab::reports
