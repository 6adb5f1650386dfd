// The words of an engine's program with what each cost.
#pragma once

#include "isa/program_image.h"
#include "reports/record/run_record.h"
#include "simulator/engine/engine_counters.h"

namespace nplab::experiments {

reports::Program program_words(unsigned engine, const isa::ProgramImage& image,
                               const simulator::EngineCounters& counters);

}  // namespace nplab::experiments
