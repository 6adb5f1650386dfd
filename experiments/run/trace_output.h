// --trace FILE --trace-cycles A-B: what a run tells over a range of cycles, as a file that other
// programs open.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "simulator/dram/command_trace.h"
#include "simulator/observe/run_observer.h"
#include "simulator/parameters/chip_description.h"
#include "support/diagnostics.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {

struct TraceOptions {
  std::string file;                // empty: no trace
  std::string cycles = "0-20000";  // first and last
};

// The cycles `FIRST-LAST` that an option names: from the first to the one after the last. Reported
// and nothing when it names none.
std::optional<simulator::CycleRange> parse_cycle_range(const std::string& option,
                                                       const std::string& text,
                                                       Diagnostics& diagnostics);

// A trace that is asked for, checked. Its form is told by the file's name.
struct TraceRequest {
  std::string file;
  simulator::Cycle from;
  simulator::Cycle to;  // the first after it
};

// Reports a trace of what the chip does not have.
void check_trace(const TraceRequest& request, const simulator::ChipDescription& chip,
                 Diagnostics& diagnostics);

// None when no trace is asked for, or what is asked for is wrong and reported.
std::optional<TraceRequest> trace_request(const TraceOptions& options, Diagnostics& diagnostics);

// The file while it is written. It appears whole, with commit, or not at all.
class TraceOutput {
 public:
  explicit TraceOutput(TraceRequest request);

  // Before the run, whose inputs these are.
  template <class Inputs>
  void attach(Inputs& inputs) {
    if (observer_)
      inputs.observation = {observer_.get(), request_.from, request_.to};
    inputs.dram_commands = dram_commands_.get();
  }
  // After the run. What cannot be written is reported.
  void commit(Diagnostics& diagnostics);

 private:
  TraceRequest request_;
  UnfinishedFile file_;
  std::unique_ptr<simulator::RunObserver> observer_;
  std::unique_ptr<simulator::dram::CommandObserver> dram_commands_;
};

}  // namespace nplab::experiments
