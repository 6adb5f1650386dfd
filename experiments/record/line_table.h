// Per-line cycle counts of a run, from the engines' per-word counts.
#pragma once

#include <string>
#include <vector>

#include "isa/program_image.h"
#include "reports/record/run_record.h"
#include "simulator/run/simulation.h"

namespace nplab::experiments {

// The lines of one engine's program with any cycles, in the order of files and lines; a line
// whose words have several uses (word_use.h) is there once for each.
std::vector<reports::Line> line_table(unsigned engine, const isa::ProgramImage& image,
                                      const simulator::SimulationResult& result);

// Executed cycles by what they were for.
reports::WorkCycles work_cycles(const std::vector<reports::Line>& lines);

// Cycles for which references of these lines held the bus of `unit`, by what they were for.
reports::WorkCycles bus_work_cycles(const std::vector<reports::Line>& lines,
                                    const std::string& unit);

// Executing, aborted and stalled cycles on the lines that stand for code that was not printed.
reports::Count cycles_of_unprinted_work(const std::vector<reports::Line>& lines);

// `file:line` of a word, as timelines name it; of a word without a source line `<generated>:0`.
std::string place_of_word(const isa::ProgramImage& image, std::size_t word);

}  // namespace nplab::experiments
