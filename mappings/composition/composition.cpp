#include "mappings/composition/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "mappings/composition/c_text.h"
#include "mappings/composition/key_code.h"
#include "mappings/composition/program_symbols.h"
#include "mappings/composition/queue_code.h"
#include "mappings/composition/stage_code.h"
#include "mappings/composition/task_code.h"

namespace nplab::mappings {
namespace {

// Of algorithms that take wide fields, which search a field as rules match it.
std::string match_macros(const Placement& placement) {
  const bool is_asked = std::any_of(placement.tasks.begin(), placement.tasks.end(),
                                    [](const TaskDeclaration& task) { return task.wide_fields; });
  if (!is_asked)
    return "";
  std::string matches;
  for (std::size_t d = 0; d + 1 < placement.fields.size(); ++d)
    matches += fmt::format("(d) == {} ? {} : ", d, static_cast<int>(placement.fields[d].match));
  return fmt::format(
      "#define MATCH_EXACT {}\n#define MATCH_PREFIX {}\n#define MATCH_RANGE {}\n"
      "#define FIELD_MATCH(d) ({}{})\n",
      static_cast<int>(workloads::MatchKind::kExact),
      static_cast<int>(workloads::MatchKind::kPrefix),
      static_cast<int>(workloads::MatchKind::kRange), matches,
      static_cast<int>(placement.fields.back().match));
}

// What placement.h stands for: the constants of this mapping on this chip with this rule set.
std::string placement_macros(const CompositionInputs& inputs) {
  const Placement& placement = inputs.placement;
  std::string code = fmt::format("#define DIMENSIONS {}\n#define RULES {}\n",
                                 placement.fields.size(), placement.rules);
  std::string widths;
  for (std::size_t d = 0; d + 1 < placement.fields.size(); ++d)
    widths += fmt::format("(d) == {} ? {} : ", d, placement.fields[d].bits);
  code += fmt::format("#define FIELD_BITS(d) ({}{})\n", widths, placement.fields.back().bits);
  code += match_macros(placement);
  for (const auto& [name, value] : placement.parameters)
    code += fmt::format("#define PARAM_{} {}\n", upper_case(name), value);
  for (const auto& table : placement.tables) {
    code += fmt::format("#define TABLE_{0} {1:#x}u\n#define SPACE_{0} {2}\n",
                        upper_case(table.name), table.base, memory_qualifier(table.space));
  }
  for (const auto& tuning : placement.tuning)
    code += fmt::format("#define TUNE_{} {}\n", upper_case(tuning.name), tuning.value);
  // A value that an optimizer cannot compute with, where one is at work: work.h would come to
  // nothing.
  const bool computes =
      placement.optimize != Optimize::kPublished && placement.optimize != Optimize::kNone;
  code += fmt::format("#define WORK_SEED {}\n", computes ? "ctx()" : "0");
  code += fmt::format("#define BUFFERS_BASE {:#x}u\n#define DESCRIPTORS_BASE {:#x}u\n",
                      placement.buffers.base, placement.buffers.descriptors_base);
  code += fmt::format("#define COUNTERS_BASE {:#x}u\n#define PORTS {}\n", placement.counters.base,
                      placement.counters.ports);
  code += fmt::format("#define FULL_WAITS {}\n", inputs.lossless ? 1 : 0);
  return code + key_macros(inputs.key, inputs.l4_key);
}

// The thread's index among the stage's threads, from its context number.
std::string rank_of_context(const Stage& stage, unsigned engine, unsigned contexts) {
  std::vector<std::uint32_t> ranks(contexts, 0);
  std::uint32_t first_context = contexts;
  for (std::uint32_t rank = 0; rank < stage.threads.size(); ++rank) {
    if (stage.threads[rank].engine != engine)
      continue;
    ranks[stage.threads[rank].context] = rank;
    first_context = std::min(first_context, stage.threads[rank].context);
  }
  // Contexts without this stage never ask; give them what keeps the expression simplest.
  for (std::uint32_t c = first_context; c-- > 0;)
    ranks[c] = ranks[first_context] - (first_context - c);
  for (std::uint32_t c = first_context + 1; c < contexts; ++c) {
    const bool has_stage = std::find(stage.threads.begin(), stage.threads.end(),
                                     ThreadPlace{engine, c}) != stage.threads.end();
    if (!has_stage)
      ranks[c] = ranks[c - 1] + 1;
  }
  return indexed_constant("ctx()", ranks);
}

// Composes the program of one engine.
class EngineComposer {
 public:
  EngineComposer(const CompositionInputs& inputs, unsigned engine, Diagnostics& diagnostics)
      : inputs_(inputs), placement_(inputs.placement), engine_(engine), diagnostics_(diagnostics) {
    for (std::size_t i = 0; i < placement_.stages.size(); ++i) {
      const auto& threads = placement_.stages[i].threads;
      if (std::any_of(threads.begin(), threads.end(),
                      [&](auto thread) { return thread.engine == engine_; }))
        stages_.push_back(i);
    }
  }

  ComposedProgram compose() {
    ComposedProgram program;
    program.engine = engine_;
    program.name = fmt::format("{}-engine{}.c", placement_.mapping, engine_);
    std::set<unsigned> contexts;
    for (const std::size_t index : stages_) {
      const Stage& stage = placement_.stages[index];
      program.role += (program.role.empty() ? "" : "+") + stage.name;
      for (const auto thread : stage.threads) {
        if (thread.engine == engine_)
          contexts.insert(thread.context);
      }
      if (stage.role == StageRole::kProgram)
        program.file = stage.program;
    }
    program.contexts.assign(contexts.begin(), contexts.end());
    if (!program.file.empty() && stages_.size() > 1) {
      diagnostics_.error(
          {program.file, 0, 0},
          fmt::format(
              "engine {} also has other stages; a program written by hand has its engine alone",
              engine_));
    }
    if (!program.file.empty())
      program.symbols = program_symbols(inputs_, placement_.stages[stages_.front()]);
    const bool is_c = std::filesystem::path(program.file).extension() == ".c";
    if (program.file.empty() || is_c)
      program.source = program.file.empty() ? source() : source_around(program);
    return program;
  }

 private:
  [[nodiscard]] std::string source() {
    std::string code =
        fmt::format("// Generated: mapping {} on microengine {}.\n", placement_.mapping, engine_);
    code += placement_macros(inputs_) + "\n" + includes() + "\n" + tasks() + queues();
    for (const std::size_t stage : stages_)
      code += stage_code(inputs_, stage, diagnostics_);
    return code + main_function();
  }

  // A program written in C, with what the mapping says in front of it.
  [[nodiscard]] std::string source_around(const ComposedProgram& program) const {
    std::string code = fmt::format("// Generated: mapping {} around {}.\n", placement_.mapping,
                                   std::filesystem::path(program.file).filename().string());
    code += placement_macros(inputs_) + "\n" + includes() + "\n" + queues();
    const Stage& stage = placement_.stages[stages_.front()];
    code += fmt::format("#define STAGE_RANK {}\n",
                        rank_of_context(stage, engine_, placement_.contexts));
    code += ring_functions(inputs_, stage);
    return code +
           fmt::format("#include \"{}\"\n", std::filesystem::absolute(program.file).string());
  }

  [[nodiscard]] bool has_role(StageRole role) const {
    return std::any_of(stages_.begin(), stages_.end(),
                       [&](std::size_t i) { return placement_.stages[i].role == role; });
  }

  [[nodiscard]] std::string includes() const {
    std::string code = "#include \"microengine.h\"\n#include \"packet.h\"\n#include \"queue.h\"\n";
    if (has_role(StageRole::kReceive))
      code += "#include \"receive.h\"\n";
    if (has_role(StageRole::kTransmit))
      code += "#include \"transmit.h\"\n";
    if (has_role(StageRole::kTasks) && inputs_.key.variant != workloads::KeyVariant::kFixed)
      code += "#include \"key_ipv4.h\"\n";
    return code;
  }

  // Structs and sources of the tasks that this engine calls, each source once.
  [[nodiscard]] std::string tasks() const {
    std::set<std::string> called, included;
    for (const std::size_t index : stages_) {
      for (const auto& call : placement_.stages[index].calls)
        called.insert(call.task);
    }
    std::string structs, sources;
    for (const auto& task : placement_.tasks) {
      if (!called.contains(task.name))
        continue;
      structs += task_structs(task, placement_.fields.size());
      if (included.insert(task.source).second) {
        sources +=
            fmt::format("#include \"{}\"\n", std::filesystem::absolute(task.source).string());
      }
    }
    return structs + sources + (structs.empty() ? "" : "\n");
  }

  [[nodiscard]] std::string queues() const {
    std::set<std::size_t> used;
    for (const std::size_t index : stages_) {
      const Stage& stage = placement_.stages[index];
      used.insert(stage.inputs.begin(), stage.inputs.end());
      used.insert(stage.releases.begin(), stage.releases.end());
      used.insert(stage.orders.begin(), stage.orders.end());
      used.insert(stage.outputs.begin(), stage.outputs.end());
    }
    std::string code;
    for (const std::size_t queue : used)
      code += queue_code(placement_.queues[queue], queue);
    return code;
  }

  [[nodiscard]] std::string main_function() const {
    std::string code = "int main(void) {\n";
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const Stage& stage = placement_.stages[stages_[i]];
      const std::string call = fmt::format("stage_{}({});\n", stage.name,
                                           rank_of_context(stage, engine_, placement_.contexts));
      if (i + 1 == stages_.size()) {
        code += "  " + call;
        continue;
      }
      std::string condition;
      for (const auto thread : stage.threads) {
        if (thread.engine == engine_)
          condition +=
              fmt::format("{}ctx() == {}", condition.empty() ? "" : " || ", thread.context);
      }
      code += fmt::format("  if ({}) {}", condition, call);
    }
    return code + "  return 0;\n}\n";
  }

  const CompositionInputs& inputs_;
  const Placement& placement_;
  const unsigned engine_;
  Diagnostics& diagnostics_;
  std::vector<std::size_t> stages_;  // that have threads on this engine
};

}  // namespace

std::optional<std::vector<ComposedProgram>> compose(const CompositionInputs& inputs,
                                                    Diagnostics& diagnostics) {
  std::set<unsigned> engines;
  for (const Stage& stage : inputs.placement.stages) {
    for (const auto thread : stage.threads)
      engines.insert(thread.engine);
  }
  const auto errors = diagnostics.errors().size();
  std::vector<ComposedProgram> programs;
  for (const unsigned engine : engines)
    programs.push_back(EngineComposer(inputs, engine, diagnostics).compose());
  if (diagnostics.errors().size() != errors)
    return std::nullopt;
  return programs;
}

}  // namespace nplab::mappings
