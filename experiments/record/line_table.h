// Per-line cycle counts of a run, from the engines' per-word counts.
#pragma once

#include <string>
#include <vector>

#include "isa/program_image.h"
#include "reports/record/run_record.h"
#include "simulator/engine/engine_counters.h"

namespace nplab::experiments {

// By word: whether a thread comes there from a poll_begin without passing a poll_end: it waits for
// work.
std::vector<bool> poll_words(const isa::ProgramImage& image);

// The lines of one engine's program with any cycles, in the order of files and lines. A word lies
// in a poll loop when it stands between the annotations poll_begin and poll_end.
std::vector<reports::Line> line_table(unsigned engine, const isa::ProgramImage& image,
                                      const simulator::EngineCounters& counters);

// Executing, aborted and stalled cycles on the lines that stand for code that was not printed.
reports::Count cycles_of_unprinted_work(const std::vector<reports::Line>& lines);

// `file:line` of a word, as timelines name it; of a word without a source line `<generated>:0`.
std::string place_of_word(const isa::ProgramImage& image, std::size_t word);

}  // namespace nplab::experiments
