#include "reports/text/annotate_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "reports/analysis/calibration_work.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/line_names.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kCostColumns = 72;  // of a row in front of the word's number

class AssemblyAnnotation {
 public:
  AssemblyAnnotation(const RunRecord& record, const AnnotateOptions& options)
      : record_(record), options_(options), names_(record) {
    for (const Engine& engine : record.engines)
      if (engine.words != 0 && is_shown(engine.id))
        cycles_ += record.cycles.core;
  }

  std::string render() {
    rows_.push_back(fmt::format("{:>12} {:>12} {:>12} {:>7} {:>12} {:>12}  {:>5}", "executing",
                                "aborted", "stalled", "share %", "waiting", "references", "word"));
    if (options_.order == AnnotateOptions::Order::kHottest)
      hottest();
    else
      in_place();
    return join_lines(rows_);
  }

 private:
  struct Word {
    const Program* program = nullptr;
    std::size_t pc = 0;
    [[nodiscard]] Count busy() const {
      return program->executing[pc] + program->aborted[pc] + program->stalled[pc];
    }
  };

  [[nodiscard]] bool is_shown(Count engine) const {
    return !options_.engine || engine == *options_.engine;
  }

  // The source line of a word, as the record's lines name it.
  [[nodiscard]] static Line line_of(const Word& word) {
    const Program& program = *word.program;
    const Count file = program.file[word.pc];
    Line line;
    line.engine = program.engine;
    line.file = file < program.files.size() ? program.files[file] : "<generated>";
    line.line = file < program.files.size() ? program.line[word.pc] : 0;
    return line;
  }

  [[nodiscard]] bool has_file(const Word& word) const {
    return line_of(word).file.ends_with(options_.file);
  }

  [[nodiscard]] bool is_left_out(const Word& word) const {
    return options_.file.empty() && is_calibration_work(line_of(word).file);
  }

  [[nodiscard]] std::string cost(const Word& word) const {
    const Program& p = *word.program;
    return fmt::format("{:>12} {:>12} {:>12} {:>7.2f} {:>12} {:>12}  {:>5}  {}",
                       p.executing[word.pc], p.aborted[word.pc], p.stalled[word.pc],
                       percentage(word.busy(), cycles_), p.waiting[word.pc], p.references[word.pc],
                       word.pc, p.assembly[word.pc]);
  }

  [[nodiscard]] std::string source(const Word& word) const {
    const Line line = line_of(word);
    return LineNames::place(line) + "  " + names_.text(line);
  }

  void in_place() {
    for (const Program& program : record_.programs) {
      if (!is_shown(program.engine))
        continue;
      rows_.push_back(fmt::format("{:>{}} engine {}: {} words", "", kCostColumns, program.engine,
                                  program.assembly.size()));
      std::string shown;
      for (std::size_t pc = 0; pc < program.assembly.size(); ++pc) {
        const Word word{&program, pc};
        if (!has_file(word))
          continue;
        if (std::string text = source(word); text != shown) {
          rows_.push_back(fmt::format("{:>{}} ; {}", "", kCostColumns, text));
          shown = std::move(text);
        }
        rows_.push_back(cost(word));
      }
    }
  }

  void hottest() {
    std::vector<Word> words;
    for (const Program& program : record_.programs) {
      for (std::size_t pc = 0; is_shown(program.engine) && pc < program.assembly.size(); ++pc) {
        const Word word{&program, pc};
        if (is_left_out(word))
          calibration_ += word.busy();
        else if (has_file(word) && word.busy() + program.waiting[pc] > 0)
          words.push_back(word);
      }
    }
    std::stable_sort(words.begin(), words.end(), [](const Word& x, const Word& y) {
      return std::tuple(x.busy(), x.program->waiting[x.pc]) >
             std::tuple(y.busy(), y.program->waiting[y.pc]);
    });
    const std::size_t shown =
        options_.most_lines == 0 ? words.size() : std::min(words.size(), options_.most_lines);
    for (std::size_t i = 0; i < shown; ++i)
      rows_.push_back(fmt::format("{}  ; engine {}, {}", cost(words[i]), words[i].program->engine,
                                  source(words[i])));
    if (shown < words.size())
      rows_.push_back(
          fmt::format("{:>{}} ... {} more words", "", kCostColumns, words.size() - shown));
    if (calibration_ > 0)
      rows_.push_back(fmt::format("{:>{}} calibration work, {:.2f} %, is left out", "",
                                  kCostColumns, percentage(calibration_, cycles_)));
  }

  const RunRecord& record_;
  const AnnotateOptions& options_;
  LineNames names_;
  Count cycles_ = 0;
  Count calibration_ = 0;
  std::vector<std::string> rows_;
};

}  // namespace

std::string render_annotated_assembly(const RunRecord& record, const AnnotateOptions& options) {
  return AssemblyAnnotation(record, options).render();
}

}  // namespace nplab::reports
