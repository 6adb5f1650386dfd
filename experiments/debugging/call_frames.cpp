#include "experiments/debugging/call_frames.h"

#include <cassert>

namespace nplab::experiments {
namespace {

using isa::SourceScope;

std::optional<std::uint32_t> scope_at(const isa::ProgramImage& image, std::uint32_t word) {
  return word < image.scope_of.size() ? image.scope_of[word] : std::nullopt;
}

// Of a block.
std::uint32_t function_of(const isa::ProgramImage& image, std::uint32_t scope) {
  while (image.scopes[scope].is_block())
    scope = *image.scopes[scope].around;
  return scope;
}

// The function that was compiled by itself, of which the scope is a part.
std::uint32_t outermost(const isa::ProgramImage& image, std::uint32_t scope) {
  while (image.scopes[scope].around)
    scope = *image.scopes[scope].around;
  return scope;
}

bool is_within(const isa::ProgramImage& image, std::uint32_t scope, std::uint32_t outer) {
  while (scope != outer && image.scopes[scope].around)
    scope = *image.scopes[scope].around;
  return scope == outer;
}

LinePlace place_of_call(const DebugTarget& target, const SourceScope& copy) {
  if (copy.call_line == 0)
    return {};
  return {find_source(target, copy.call_file), copy.call_file, copy.call_line};
}

// Where the function that was called goes on in its caller; nothing if it was not called.
std::optional<std::uint32_t> return_word(const isa::ProgramImage& image, std::uint32_t scope,
                                         const ReadRegister& read) {
  const std::uint16_t code = image.scopes[outermost(image, scope)].return_register;
  if (code == SourceScope::kNoReturn)
    return std::nullopt;
  const std::uint32_t word = read(static_cast<isa::OperandCode>(code));
  return word != 0 && word < image.words.size() ? std::optional(word) : std::nullopt;
}

// The frames of one function that was compiled by itself and of what was inlined into it.
void add_inlined(const DebugTarget& target, const isa::ProgramImage& image, CallFrame frame,
                 std::vector<CallFrame>& frames) {
  for (;;) {
    const SourceScope& function = image.scopes[function_of(image, *frame.scope)];
    frame.function = function.function;
    frames.push_back(frame);
    if (!function.around)
      return;
    frame.place = place_of_call(target, function);
    frame.scope = function.around;
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
    const auto scope = scope_at(image, word);
    const CallFrame frame{{}, line_of(target, engine, word), word, scope, calls != 0};
    if (!scope) {
      frames.push_back(frame);
      break;
    }
    add_inlined(target, image, frame, frames);
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
  const std::uint32_t function = function_of(image, *scope);
  if (!image.scopes[function].around) {
    const auto after = return_word(image, *scope, read);
    return after ? std::optional(std::vector{*after}) : std::nullopt;
  }
  // Words of functions that the copy calls are not outside it.
  std::vector<std::uint32_t> words;
  for (std::uint32_t other = 0; other < image.words.size(); ++other) {
    const auto its = scope_at(image, other);
    if (its && outermost(image, *its) == outermost(image, *scope) &&
        !is_within(image, *its, function))
      words.push_back(other);
  }
  return words;
}

}  // namespace nplab::experiments
