// The disassembler: a program image as assembly text.
#pragma once

#include <string>
#include <vector>

#include "isa/program_image.h"

namespace nplab::isa {

struct DisassemblyOptions {
  enum class Words { kShown, kHidden };        // number and encoding of each word in front of it
  enum class SourceLines { kShown, kHidden };  // a comment `; file:line` where the line changes

  Words words = Words::kShown;
  SourceLines source_lines = SourceLines::kShown;
};

// One instruction without its label, as the assembler reads it; ".quad 0x..." for a word that is no
// instruction.
std::string disassemble_word(std::uint64_t word);

// A word of a program: its label without `#`, empty if it has none, and its instruction.
struct DisassembledWord {
  std::string label;
  std::string instruction;
};
std::vector<DisassembledWord> disassemble_words(const ProgramImage& image);

// One instruction a line, with labels (those of the image's symbols, otherwise L<word># for branch
// targets), source lines as comments and annotations as directives. With Words::kHidden the text
// assembles to the same words.
std::string disassemble(const ProgramImage& image, const DisassemblyOptions& options = {});

}  // namespace nplab::isa
