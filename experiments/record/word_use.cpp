#include "experiments/record/word_use.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isa/control_flow.h"

namespace nplab::experiments {
namespace {

using Kind = isa::Annotation::Kind;

// The waits that a thread has begun, the innermost last. Those deeper than kMost are not
// distinguished.
class Waits {
 public:
  void begin(WordUse use) {
    if (depth_ < kMost)
      uses_[depth_] = use;
    depth_ = std::min(depth_ + 1, kMost);
  }
  void end() {
    if (depth_ > 0)
      uses_[--depth_] = WordUse::kUseful;
  }
  [[nodiscard]] WordUse innermost() const {
    return depth_ == 0 ? WordUse::kUseful : uses_[depth_ - 1];
  }
  friend auto operator<=>(const Waits&, const Waits&) = default;

 private:
  static constexpr std::size_t kMost = 4;
  std::size_t depth_ = 0;
  std::array<WordUse, kMost> uses_{};
};

std::optional<WordUse> begun_by(Kind kind) {
  switch (kind) {
    case Kind::kPollBegin: return WordUse::kStarved;
    case Kind::kBlockedBegin: return WordUse::kBlocked;
    default: return std::nullopt;
  }
}

// Follows the ways of a thread: words lie in another order than threads pass them.
class WaitFlow {
 public:
  explicit WaitFlow(const isa::ProgramImage& image)
      : flow_(isa::control_flow(image)), marks_(image.words.size()), uses_(image.words.size()) {
    for (const isa::Annotation& annotation : image.annotations) {
      if (annotation.kind == Kind::kPollEnd || begun_by(annotation.kind))
        marks_.at(annotation.pc).push_back(annotation.kind);
    }
  }

  std::vector<WordUse> uses() && {
    follow(0);
    // After a jump to a computed address.
    for (std::size_t pc = 0; pc < marks_.size(); ++pc) {
      if (!marks_[pc].empty() && !is_reached(pc))
        follow(pc);
    }
    return std::move(uses_);
  }

 private:
  [[nodiscard]] bool is_reached(std::size_t pc) const {
    const auto at = seen_.lower_bound({pc, Waits()});
    return at != seen_.end() && at->first == pc;
  }

  void follow(std::size_t from) {
    reach(from, Waits());
    while (!open_.empty()) {
      auto [pc, waits] = open_.back();
      open_.pop_back();
      for (const Kind kind : marks_[pc]) {
        if (const auto use = begun_by(kind))
          waits.begin(*use);
        else
          waits.end();
      }
      uses_[pc] = std::max(uses_[pc], waits.innermost());
      if (flow_[pc].next)
        reach(pc + 1, waits);
      if (flow_[pc].target)
        reach(*flow_[pc].target, waits);
      for (const std::uint32_t target : flow_[pc].computed)
        reach(target, waits);
    }
  }

  void reach(std::size_t pc, const Waits& waits) {
    if (pc < marks_.size() && seen_.insert({pc, waits}).second)
      open_.emplace_back(pc, waits);
  }

  const std::vector<isa::Successors> flow_;
  std::vector<std::vector<Kind>> marks_;  // by word
  std::vector<WordUse> uses_;
  std::set<std::pair<std::size_t, Waits>> seen_;  // words, with the waits of who came there
  std::vector<std::pair<std::size_t, Waits>> open_;
};

// Code of functions that wait, wherever it is inlined, in the order of words.
void mark_wait_code(const isa::ProgramImage& image, std::vector<WordUse>& uses) {
  std::map<std::uint32_t, isa::WaitCode> changes;
  for (const isa::Annotation& annotation : image.annotations) {
    if (annotation.kind == Kind::kWaitCode)
      changes[annotation.pc] = static_cast<isa::WaitCode>(annotation.first & 0xFF);
  }
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    const std::size_t end = std::next(at) == changes.end() ? uses.size() : std::next(at)->first;
    if (at->second != isa::WaitCode::kNothing)
      std::fill(uses.begin() + at->first, uses.begin() + static_cast<std::ptrdiff_t>(end),
                static_cast<WordUse>(at->second));
  }
}

}  // namespace

const char* name_of(WordUse use) {
  constexpr std::array kNames = {"useful", "starved", "blocked", "lock_spin"};
  return kNames[static_cast<std::size_t>(use)];
}

std::vector<WordUse> word_uses(const isa::ProgramImage& image) {
  std::vector<WordUse> uses = WaitFlow(image).uses();
  mark_wait_code(image, uses);
  return uses;
}

}  // namespace nplab::experiments
