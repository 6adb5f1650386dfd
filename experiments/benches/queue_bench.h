// What a hand-over of a packet through a queue costs, by shape, memory and threads.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "support/diagnostics.h"

namespace nplab::experiments {

// Told before each measurement: what, and the share that is done.
using BenchProgress = std::function<void(const std::string& step, double done)>;

// JSON, schema nplab.bench_queues/1: a row for each queue, on the chip of that name or file with at
// least eight engines. References, bus cycles and engine cycles (executing, aborted and stalled, of
// both sides) are those of one hand-over when nobody looks in vain; the rate is the highest, with
// everybody putting and taking all the time. Null, and diagnostics, when the chip is unknown.
nlohmann::ordered_json bench_queues(const std::string& chip, const BenchProgress& progress,
                                    Diagnostics& diagnostics);

}  // namespace nplab::experiments
