// The words of an engine's program with what each cost.
#pragma once

#include "isa/program_image.h"
#include "reports/run_record.h"
#include "simulator/engine_counters.h"

namespace nplab::tools {

reports::Program program_words(unsigned engine, const isa::ProgramImage& image,
                               const simulator::EngineCounters& counters);

}  // namespace nplab::tools
