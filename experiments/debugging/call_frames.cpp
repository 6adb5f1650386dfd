#include "experiments/debugging/call_frames.h"

#include <cassert>

namespace nplab::experiments {
namespace {

using isa::FunctionScope;

std::optional<std::uint32_t> scope_at(const isa::ProgramImage& image, std::uint32_t word) {
  return word < image.scope_of.size() ? image.scope_of[word] : std::nullopt;
}

// The function that was compiled by itself, of which the scope is a part.
std::uint32_t outermost(const isa::ProgramImage& image, std::uint32_t scope) {
  while (image.scopes[scope].inlined_into)
    scope = *image.scopes[scope].inlined_into;
  return scope;
}

bool is_within(const isa::ProgramImage& image, std::uint32_t scope, std::uint32_t outer) {
  while (scope != outer && image.scopes[scope].inlined_into)
    scope = *image.scopes[scope].inlined_into;
  return scope == outer;
}

LinePlace place_of_call(const DebugTarget& target, const FunctionScope& copy) {
  if (copy.call_line == 0)
    return {};
  return {find_source(target, copy.call_file), copy.call_file, copy.call_line};
}

// Where the function that was called goes on in its caller; nothing if it was not called.
std::optional<std::uint32_t> return_word(const isa::ProgramImage& image, std::uint32_t scope,
                                         const ReadRegister& read) {
  const std::uint16_t code = image.scopes[outermost(image, scope)].return_register;
  if (code == FunctionScope::kNoReturn)
    return std::nullopt;
  const std::uint32_t word = read(static_cast<isa::OperandCode>(code));
  return word != 0 && word < image.words.size() ? std::optional(word) : std::nullopt;
}

// The frames of one function that was compiled by itself and of what was inlined into it.
void add_inlined(const DebugTarget& target, const isa::ProgramImage& image, LinePlace place,
                 std::uint32_t word, std::uint32_t scope, std::vector<CallFrame>& frames) {
  for (;;) {
    const FunctionScope& one = image.scopes[scope];
    frames.push_back({one.function, place, word});
    if (!one.inlined_into)
      return;
    place = place_of_call(target, one);
    scope = *one.inlined_into;
  }
}

}  // namespace

std::vector<CallFrame> call_frames(const DebugTarget& target, unsigned engine, std::uint32_t word,
                                   const ReadRegister& read) {
  const DebugProgram* program = program_of(target, engine);
  assert(program != nullptr);
  const isa::ProgramImage& image = program->image;
  std::vector<CallFrame> frames;
  // There is no recursion; registers that a program damaged must not lead in circles.
  for (std::size_t calls = 0; calls <= image.scopes.size(); ++calls) {
    const LinePlace place = line_of(target, engine, word);
    const auto scope = scope_at(image, word);
    if (!scope) {
      frames.push_back({{}, place, word});
      break;
    }
    add_inlined(target, image, place, word, *scope, frames);
    const auto after = return_word(image, *scope, read);
    if (!after)
      break;
    word = *after - 1;  // the call's last word
  }
  return frames;
}

std::optional<std::vector<std::uint32_t>> words_outside(const isa::ProgramImage& image,
                                                        std::uint32_t word,
                                                        const ReadRegister& read) {
  const auto scope = scope_at(image, word);
  if (!scope)
    return std::nullopt;
  if (!image.scopes[*scope].inlined_into) {
    const auto after = return_word(image, *scope, read);
    return after ? std::optional(std::vector{*after}) : std::nullopt;
  }
  // Words of functions that the copy calls are not outside it.
  std::vector<std::uint32_t> words;
  for (std::uint32_t other = 0; other < image.words.size(); ++other) {
    const auto its = scope_at(image, other);
    if (its && outermost(image, *its) == outermost(image, *scope) &&
        !is_within(image, *its, *scope))
      words.push_back(other);
  }
  return words;
}

}  // namespace nplab::experiments
