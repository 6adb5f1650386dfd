#include "tests/fuzz/constructs/damaged_source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <random>

#include "compiler/compiler.h"
#include "support/input_file.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

namespace fs = std::filesystem;

// In a fixed order: a seed says what is done to which.
std::vector<std::string> files_of(const std::vector<std::string>& folders,
                                  const std::string& extension) {
  std::vector<std::string> texts;
  for (const std::string& folder : folders) {
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(source_path(folder)))
      if (entry.path().extension() == extension)
        paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
      Diagnostics diagnostics;
      texts.push_back(read_input_file(path, diagnostics).value().bytes);
    }
  }
  return texts;
}

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// Words, runs of blanks, and every other byte by itself; their concatenation is the text.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]))
      while (end < text.size() && is_word(text[end]))
        ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

const std::vector<std::string>& hostile_words(SourceLanguage language) {
  static const std::vector<std::string> of_c{
      "4294967296", "-1",      "0x7fffffff", "(",        ")",        "{",         "}",
      ";",          "_Atomic", "static",     "volatile", "unsigned", "long long", "float",
      "goto",       "switch",  "case 0:",    "return",   "sizeof",   "__sdram",   "__shared",
      "__scratch",  "__asm__", "\"",         "'",        "/*",       "#define",   "#include",
      "#if",        "#endif",  "\\\n",       "&",        "*",        "[",         "]",
      "=",          "main",    "int",        "void",     "struct",   "ctx_swap",  "sram_read",
      "0.5",        "1e999",   "->",         ".",        "...",      "%",         "/",
      "__typeof__", "\xff",    "\0",         "_BitInt",  "__int128", "extern",    "inline"};
  static const std::vector<std::string> of_assembly{"4294967296",
                                                    "-1",
                                                    "1 << 40",
                                                    "0x7fffffff",
                                                    ".long",
                                                    ".quad",
                                                    ".byte",
                                                    ".zero",
                                                    ".section",
                                                    ".text",
                                                    ".sram",
                                                    ".org",
                                                    ".size",
                                                    ".type",
                                                    ".set",
                                                    ".equ",
                                                    ".macro",
                                                    ".endm",
                                                    ".if",
                                                    ".else",
                                                    ".endif",
                                                    ".loc",
                                                    ".file",
                                                    ".cfi_startproc",
                                                    ".cfi_endproc",
                                                    ".globl",
                                                    ".weak",
                                                    ".comm",
                                                    ".lcomm",
                                                    ".ascii",
                                                    ".asciz",
                                                    ".string",
                                                    ".align",
                                                    ".p2align",
                                                    ".reloc",
                                                    ".symver",
                                                    ".ident",
                                                    ".version",
                                                    ".pushsection",
                                                    ".popsection",
                                                    ".previous",
                                                    ".subsection",
                                                    ".uleb128",
                                                    ".sleb128",
                                                    ".line",
                                                    ".end",
                                                    ".err",
                                                    ".error",
                                                    ".print",
                                                    ".float",
                                                    ".double",
                                                    ".octa",
                                                    ".bundle_align_mode",
                                                    ".addrsig",
                                                    ".lto_discard",
                                                    ".pseudoprobe",
                                                    "a0",
                                                    "b15",
                                                    "@a0",
                                                    "$0",
                                                    "$$7",
                                                    "--",
                                                    "defer[3]",
                                                    "ctx_swap",
                                                    "sig_done",
                                                    "alu[",
                                                    "br[",
                                                    "immed[",
                                                    "]",
                                                    "[",
                                                    ",",
                                                    "#:",
                                                    "#",
                                                    "\"",
                                                    "'",
                                                    "/*",
                                                    "%lo(",
                                                    "%hi(",
                                                    ")",
                                                    "\\",
                                                    "\xff",
                                                    "loop#",
                                                    "sram[",
                                                    ".LBB0_1",
                                                    ".warning",
                                                    ".cv_file",
                                                    ".dc.l",
                                                    ".dcb.l",
                                                    ".ds.l",
                                                    ".rept",
                                                    ".irp",
                                                    "\n",
                                                    ".nop",
                                                    ".nops",
                                                    ".stabs",
                                                    ".secure_log_unique",
                                                    "="};
  return language == SourceLanguage::kC ? of_c : of_assembly;
}

bool are_alike(const std::string& one, const std::string& other) {
  const auto kind = [](const std::string& token) {
    return std::isdigit(static_cast<unsigned char>(token[0])) ? 2 : is_word(token[0]) ? 1 : 0;
  };
  return kind(one) == kind(other);
}

// A token of the same kind from elsewhere in the text: what comes of it is often a program still.
void replace_by_like(std::string& token, const std::vector<std::string>& tokens,
                     std::mt19937_64& random) {
  constexpr unsigned kMostTries = 50;
  for (unsigned tries = 0; tries != kMostTries; ++tries)
    if (const std::string& other = tokens[random() % tokens.size()];
        other != token && are_alike(token, other)) {
      token = other;
      return;
    }
}

std::string hostile_number(std::mt19937_64& random) {
  static const char* const numbers[] = {
      "0",     "1",       "31",    "32",         "127",        "128", "255",        "1000",
      "65536", "1048576", "99999", "0x7fffffff", "0xffffffff", "-1",  "0x1ffffffff"};
  return numbers[random() % std::size(numbers)];
}

void damage_once(std::vector<std::string>& tokens, SourceLanguage language,
                 std::mt19937_64& random) {
  const auto& hostile = hostile_words(language);
  const std::size_t at = random() % tokens.size(), other = random() % tokens.size();
  const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random() % 10) {
    case 0: tokens.erase(place); break;
    case 1: tokens.insert(place, std::string(tokens[at])); break;
    case 2: std::swap(tokens[at], tokens[other]); break;
    case 3: tokens[at] = hostile[random() % hostile.size()]; break;
    case 4: tokens.insert(place, " " + hostile[random() % hostile.size()] + " "); break;
    case 5: tokens[at][random() % tokens[at].size()] ^= static_cast<char>(1 << random() % 8); break;
    case 6:
    case 7:
      if (std::isdigit(static_cast<unsigned char>(tokens[at][0]))) {
        tokens[at] = hostile_number(random);
        break;
      }
      [[fallthrough]];
    default: replace_by_like(tokens[at], tokens, random); break;
  }
}

}  // namespace

std::vector<std::string> c_sources() {
  return files_of({"tests/compiler/programs", "tests/compiler/handwritten", "docs/labs/solutions"},
                  ".c");
}

std::vector<std::string> assembly_sources() {
  std::vector<std::string> texts = files_of({"tests/compiler/handwritten", "tests/data"}, ".s");
  for (const std::string& source : files_of({"tests/compiler/programs"}, ".c")) {
    Diagnostics diagnostics;
    if (auto text = compiler::compile_to_assembly(source, "program.c", {}, diagnostics))
      texts.push_back(std::move(*text));
  }
  return texts;
}

std::string damaged_source(const std::vector<std::string>& sources, SourceLanguage language,
                           std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> tokens = tokens_of(sources[random() % sources.size()]);
  do
    damage_once(tokens, language, random);
  while (random() % 2 == 0);
  std::string text;
  for (const std::string& token : tokens)
    text += token;
  return text;
}

}  // namespace nplab::test
