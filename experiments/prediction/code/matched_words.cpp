#include "experiments/prediction/code/matched_words.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace nplab::experiments {
namespace {

class LineMatch {
 public:
  LineMatch(const std::vector<std::optional<isa::Instruction>>& instructions,
            const std::vector<std::size_t>& words, const std::vector<ProfiledWord>& profiled)
      : instructions_(instructions), words_(words), profiled_(profiled) {}

  void put_into(std::vector<MatchedWord>& matched) const {
    const double mean = mean_executions();
    const bool is_same = is_same_line();
    for (const std::size_t word : words_) {
      matched[word].mean = mean;
      matched[word].is_same_line = is_same;
    }
    align(matched);
  }

 private:
  [[nodiscard]] bool are_alike(std::size_t mine, std::size_t theirs) const {
    const auto& instruction = instructions_[words_[mine]];
    return instruction && instruction->operation == profiled_[theirs].operation;
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

}  // namespace

std::vector<MatchedWord> matched_words(
    const CodeProfile& profile, const std::vector<WordPlace>& places,
    const std::vector<std::optional<isa::Instruction>>& instructions) {
  using Line = std::tuple<std::size_t, std::string, std::string>;  // stage, part, line
  std::map<Line, std::vector<std::size_t>> lines;
  for (std::size_t word = 0; word < places.size(); ++word) {
    const WordPlace& place = places[word];
    if (place.stage && !place.name.empty())
      lines[{*place.stage, place.name, place.line}].push_back(word);
  }
  std::vector<MatchedWord> matched(places.size());
  for (const auto& [of, words] : lines) {
    const auto part = profile.find(std::get<1>(of));
    if (part == profile.end())
      continue;
    const auto line = part->second.lines.find(std::get<2>(of));
    if (line != part->second.lines.end() && !line->second.empty())
      LineMatch(instructions, words, line->second).put_into(matched);
  }
  return matched;
}

}  // namespace nplab::experiments
