// Which part of a mapping each word of an engine's program belongs to: a task, an operation on a
// queue, the key's loading, the library.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"

namespace nplab::experiments {

enum class PartKind {
  kInherited,  // code that several parts share: of the part that the thread was in before
  kReceive,
  kTransmit,
  kTask,  // `index`: of the stage's calls
  kKey,   // 0: loading the header; d + 1: taking the field of dimension d from it
  kPut,   // `index`: of the placement's queues; release counts as get
  kGet,
  kStep,   // what joins the calls of a stage, and its verdict
  kWork,   // unprinted work that the mapping's tuning adds
  kPause,  // between two looks, poll_cycles long
  kSpin,   // rounds of a thread that waits for its turn at a queue
};

struct CodePart {
  PartKind kind = PartKind::kInherited;
  std::size_t index = 0;
  friend auto operator<=>(const CodePart&, const CodePart&) = default;
};

// Derived from the composed line that a word was inlined into, by what stands there; where it has
// none, from its own source line: of tasks and of the library by the file.
class CodeParts {
 public:
  // What it refers to outlives it.
  CodeParts(const CompiledProgram& program, const mappings::Placement& placement);

  // Of a word that a thread of `stage` executes, which was in `before`.
  [[nodiscard]] CodePart part_of(std::size_t word, std::size_t stage, CodePart before) const;

  // Whose threads alone execute the word, from where it was inlined; nothing: not known.
  [[nodiscard]] std::optional<std::size_t> stage_of(std::size_t word) const;
  // The word's source line and the composed line that inlined it, such that the same line has the
  // same text in another placement: lines of composed code by what they say, without the names of
  // queues, numbers, and what follows the first comma.
  [[nodiscard]] std::string line_of(std::size_t word) const;
  // Of the word's own place and the calls that inlined it, the innermost line of composed code; 0:
  // none, as where the compiler made one piece of code for several lines.
  [[nodiscard]] std::size_t composed_line(std::size_t word) const;

 private:
  struct Line {
    CodePart part;
    std::size_t stage = 0;  // of lines in a stage's function
    bool of_stage = false;
  };
  // Of a word that was inlined into a line of composed code; kInherited: not known.
  [[nodiscard]] CodePart part_inlined(std::size_t word, std::size_t stage) const;
  [[nodiscard]] std::uint32_t inlining_line(const std::string& composed, std::size_t word) const;
  void read_composed(const std::string& source);
  void read_stage(const std::vector<std::string>& lines, std::size_t first, std::size_t stage);
  [[nodiscard]] CodePart part_of_task(const std::string& file, std::size_t stage,
                                      CodePart before) const;

  const mappings::Placement& placement_;
  const isa::ProgramImage& image_;
  std::vector<std::uint32_t> inlined_into_;  // by word, inlining_line
  std::vector<Line> composed_;               // by line, from 0
  std::vector<std::string> texts_;           // of these, as line_of has them
  std::set<std::string> functions_;          // that composed code defines
  std::vector<CodePart> by_file_;            // of the image's files that are not composed
  std::vector<bool> of_algorithm_;           // whether these lie in its folder
  std::vector<std::string> task_files_;      // of these, the source of a task; else empty
  std::size_t composed_file_ = 0;            // among the image's files
  std::vector<std::pair<std::size_t, std::size_t>> pause_lines_;  // by file; first > last: none
};

}  // namespace nplab::experiments
