// nplab explain: what a figure, a state, an instruction or a key of a file means.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/glossary/glossary.h"
#include "support/near_miss.h"
#include "support/parameters/key_tables.h"
#include "tools/commands/commands.h"
#include "tools/options/file_kinds.h"

namespace nplab::tools {

// The instruction-set page, generated from isa/description and compiled in.
extern const std::string_view kInstructionPage;

namespace {

struct InstructionForm {
  std::string opcode;
  std::string syntax;
  std::string does;
  std::string aborts;
  std::string unit;
};

// The cells of a row of a Markdown table, without the marks around code.
std::vector<std::string> table_cells(const std::string& row) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|')
      cells.back() += row[++i];
    else if (row[i] == '|')
      cells.emplace_back();
    else if (row[i] != '`')
      cells.back() += row[i];
  }
  for (std::string& cell : cells) {
    const auto first = cell.find_first_not_of(' ');
    cell = first == std::string::npos ? ""
                                      : cell.substr(first, cell.find_last_not_of(' ') - first + 1);
  }
  return cells;
}

// Rows of the page's tables of instructions: syntax, what it does, abort class, unit, encoding.
std::vector<InstructionForm> instruction_forms() {
  constexpr std::size_t kColumns = 5;
  std::vector<InstructionForm> forms;
  std::istringstream page{std::string(kInstructionPage)};
  for (std::string row; std::getline(page, row);) {
    if (!row.starts_with("| `"))
      continue;
    const std::vector<std::string> cells = table_cells(row);
    if (cells.size() < kColumns || !cells[4].starts_with("63.."))
      continue;
    std::istringstream opcodes(
        cells[0].substr(0, cells[0].find('[')));  // one, or `one | two | three`
    for (std::string opcode; opcodes >> opcode; opcodes.ignore(2))
      forms.push_back({opcode, cells[0], cells[1], cells[2], cells[3]});
  }
  return forms;
}

// Empty when there is no such instruction.
std::string instruction_text(const std::string& opcode) {
  std::string text;
  for (const InstructionForm& form : instruction_forms()) {
    if (form.opcode != opcode)
      continue;
    if (text.empty())
      text = opcode + " (instruction)\n";
    text += fmt::format("  {}\n      {}\n", form.syntax, form.does);
    if (form.aborts != "none")
      text +=
          fmt::format("      aborts: class {0}; how many cycles: nplab explain {0}\n", form.aborts);
    if (!form.unit.empty())
      text += fmt::format("      unit: {}\n", form.unit);
  }
  return text;
}

// Keys of files: by the full path below the file or below its kind, `chip.sram.read_queue`, or by
// the path's end, `read_queue`.
bool is_named(const std::string& path, const std::string& name) {
  return path == name || path.ends_with("." + name);
}

std::string key_text(const std::string& name) {
  std::string text;
  for (const FileKind& kind : file_kinds()) {
    for (const parameters::KeyPath& path : parameters::all_keys(*kind.keys)) {
      if (is_named(fmt::format("{}.{}", kind.name, path.path), name))
        text += parameters::explained(path, kind.name);
    }
  }
  return text;
}

std::vector<std::string> explained_names() {
  std::vector<std::string> names;
  for (const reports::Term& term : reports::glossary()) {
    names.push_back(term.id);
    names.insert(names.end(), term.also.begin(), term.also.end());
  }
  for (const InstructionForm& form : instruction_forms())
    names.push_back(form.opcode);
  for (const FileKind& kind : file_kinds()) {
    for (const parameters::KeyPath& path : parameters::all_keys(*kind.keys))
      names.push_back(path.path);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

int explain_all() {
  for (const reports::Term& term : reports::glossary())
    std::cout << fmt::format("{:<24} {}\n", term.id, term.title);
  std::string previous;
  for (const InstructionForm& form : instruction_forms())
    if (std::exchange(previous, form.opcode) != form.opcode)
      std::cout << fmt::format("{:<24} instruction\n", form.opcode);
  for (const FileKind& kind : file_kinds()) {
    for (const parameters::KeyPath& path : parameters::all_keys(*kind.keys))
      std::cout << fmt::format("{:<24} key of a {} file\n", path.path, kind.name);
  }
  return kDone;
}

int explain(const std::string& word) {
  std::string name = word;
  std::replace(name.begin(), name.end(), ' ', '_');
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const reports::Term* term = reports::find_term(name);
  const std::string instruction = instruction_text(name);
  const std::string keys = key_text(name);
  if (term == nullptr && instruction.empty() && keys.empty()) {
    std::cerr << fmt::format("nplab: error: unknown name '{}'; {}\n", word,
                             suggestion(name, explained_names()));
    return kBadInput;
  }
  if (term != nullptr)
    std::cout << reports::render_term(*term);
  std::cout << instruction << keys;
  return kDone;
}

}  // namespace

void add_explain_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("explain",
                                     "Explain a figure, a state, an instruction or a key of a "
                                     "file; without a name, list all names");
  auto word = std::make_shared<std::string>();
  auto names = std::make_shared<bool>(false);
  auto* option = command->add_option(
      "NAME", *word,
      "a name as a report or a record writes it, an opcode, or a key such as sram.read_queue");
  command->add_flag("--names", *names, "print all names, one per line")->excludes(option);
  command->callback([word, names, &status] {
    if (*names) {
      for (const std::string& name : explained_names())
        std::cout << name << '\n';
      status = kDone;
    } else {
      status = word->empty() ? explain_all() : explain(*word);
    }
  });
}

}  // namespace nplab::tools
