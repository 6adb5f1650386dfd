#include "experiments/prediction/code/matched_words.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "experiments/prediction/part_names.h"

namespace nplab::experiments {
namespace {

class LineMatch {
 public:
  LineMatch(const std::vector<std::optional<isa::Instruction>>& instructions,
            const std::vector<std::size_t>& words, const std::vector<ProfiledWord>& profiled)
      : instructions_(instructions), words_(words), profiled_(profiled) {}

  void put_into(std::vector<MatchedWord>& matched, bool is_same_part) const {
    const double mean = mean_executions();
    const bool is_same = is_same_line() && (is_same_part || has_same_executions());
    for (const std::size_t word : words_) {
      matched[word].mean = mean;
      matched[word].is_same_line = is_same;
    }
    align(matched);
  }

  // A reference that yields is another word than one that goes on.
  [[nodiscard]] bool is_same_line() const {
    if (words_.size() != profiled_.size())
      return false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!are_alike(i, i) || instructions_[words_[i]]->aborts != profiled_[i].aborts)
        return false;
    }
    return true;
  }

 private:
  // Else the line has copies, and which is which is known only where all is the same.
  [[nodiscard]] bool has_same_executions() const {
    constexpr double kAlike = 0.05;
    const auto [least, most] =
        std::minmax_element(profiled_.begin(), profiled_.end(),
                            [](const auto& a, const auto& b) { return a.executed < b.executed; });
    return most->executed - least->executed <= kAlike * most->executed;
  }

  [[nodiscard]] bool are_alike(std::size_t mine, std::size_t theirs) const {
    const auto& instruction = instructions_[words_[mine]];
    return instruction && instruction->operation == profiled_[theirs].operation;
  }

  [[nodiscard]] double mean_executions() const {
    double sum = 0;
    for (const ProfiledWord& word : profiled_)
      sum += word.executed;
    return sum / static_cast<double>(profiled_.size());
  }

  void align(std::vector<MatchedWord>& matched) const {
    const std::size_t n = words_.size(), m = profiled_.size();
    // Of what follows the first i of mine and j of theirs.
    std::vector<std::vector<unsigned>> longest(n + 1, std::vector<unsigned>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;)
        longest[i][j] = are_alike(i, j) ? longest[i + 1][j + 1] + 1
                                        : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
    std::size_t i = 0, j = 0;
    while (i < n && j < m) {
      if (are_alike(i, j))
        matched[words_[i++]].like = &profiled_[j++];
      else if (longest[i + 1][j] >= longest[i][j + 1])
        ++i;
      else
        ++j;
    }
  }

  const std::vector<std::optional<isa::Instruction>>& instructions_;
  const std::vector<std::size_t>& words_;
  const std::vector<ProfiledWord>& profiled_;
};

using Instructions = std::vector<std::optional<isa::Instruction>>;
using Lines = std::map<std::string, std::vector<std::size_t>>;  // words of a part

const std::vector<ProfiledWord>* line_in(const PartCode& code, const std::string& name) {
  const auto line = code.lines.find(name);
  return line != code.lines.end() && !line->second.empty() ? &line->second : nullptr;
}

// In lines that have the profile's words.
std::size_t same_words(const PartCode& code, const Lines& lines, const Instructions& instructions) {
  std::size_t count = 0;
  for (const auto& [name, words] : lines) {
    const auto* profiled = line_in(code, name);
    if (profiled != nullptr && LineMatch(instructions, words, *profiled).is_same_line())
      count += words.size();
  }
  return count;
}

// No more lines and no fewer, all with the profile's words.
bool is_same_part(const PartCode& code, const Lines& lines, const Instructions& instructions) {
  std::size_t words = 0;
  for (const auto& [name, of_line] : lines)
    words += of_line.size();
  return code.lines.size() == lines.size() && same_words(code, lines, instructions) == words;
}

double references_of(const mappings::Placement& placement, const CodePart& part) {
  switch (part.kind) {
    case PartKind::kPut: return references_of_put(placement.queues.at(part.index));
    case PartKind::kGet: return references_of_get(placement.queues.at(part.index));
    default: return 0;
  }
}

class PartChoice {
 public:
  PartChoice(const mappings::Placement& placement, const Lines& lines,
             const Instructions& instructions, std::size_t stage, const CodePart& part)
      : lines_(lines),
        instructions_(instructions),
        stage_(part_of_stage(placement, stage)),
        references_(references_of(placement, part)) {}

  [[nodiscard]] const PartCode* best_of(const std::vector<PartCode>& codes) const {
    const auto best =
        std::max_element(codes.begin(), codes.end(),
                         [&](const auto& a, const auto& b) { return likeness(a) < likeness(b); });
    return best == codes.end() ? nullptr : &*best;
  }

 private:
  [[nodiscard]] std::tuple<bool, std::size_t, double> likeness(const PartCode& code) const {
    return {code.stage == stage_, same_words(code, lines_, instructions_),
            -std::abs(code.references - references_)};
  }

  const Lines& lines_;
  const Instructions& instructions_;
  const std::string stage_;
  const double references_;
};

}  // namespace

MatchedWords matched_words(const CodeProfile& profile, const mappings::Placement& placement,
                           const std::vector<WordPlace>& places, const Instructions& instructions) {
  std::map<std::pair<std::size_t, std::string>, Lines> parts;
  std::map<std::string, CodePart> kinds;  // by name
  for (std::size_t word = 0; word < places.size(); ++word) {
    const WordPlace& place = places[word];
    if (!place.stage || place.name.empty())
      continue;
    parts[{*place.stage, place.name}][place.line].push_back(word);
    kinds[place.name] = place.part;
  }
  MatchedWords matched{std::vector<MatchedWord>(places.size()), {}};
  for (const auto& [of, lines] : parts) {
    const auto codes = profile.find(of.second);
    if (codes == profile.end())
      continue;
    const PartChoice choice(placement, lines, instructions, of.first, kinds.at(of.second));
    const PartCode* code = choice.best_of(codes->second);
    if (code == nullptr)
      continue;
    matched.parts[of] = code;
    const bool is_same = is_same_part(*code, lines, instructions);
    for (const auto& [name, words] : lines) {
      if (const auto* profiled = line_in(*code, name))
        LineMatch(instructions, words, *profiled).put_into(matched.words, is_same);
    }
  }
  return matched;
}

}  // namespace nplab::experiments
