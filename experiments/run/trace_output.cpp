#include "experiments/run/trace_output.h"

#include <fmt/format.h>

#include <charconv>

#include "simulator/dram/command_trace.h"
#include "simulator/observe/event_trace.h"
#include "simulator/observe/kanata_trace.h"
#include "simulator/observe/vcd_trace.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {
namespace {

// A form of trace by the end of the file's name.
struct TraceForm {
  const char* ending;
  std::unique_ptr<simulator::RunObserver> (*make)(std::ostream& stream);  // null: DRAM commands
};

template <class Trace>
std::unique_ptr<simulator::RunObserver> make_trace(std::ostream& stream) {
  return std::make_unique<Trace>(stream);
}

const TraceForm kTraceForms[] = {
    {".vcd", make_trace<simulator::VcdTrace>},
    {".json", make_trace<simulator::EventTrace>},
    {".kanata", make_trace<simulator::KanataTrace>},
    {".dram", nullptr},
};

const TraceForm* form_of(const std::string& file) {
  for (const TraceForm& form : kTraceForms)
    if (file.ends_with(form.ending))
      return &form;
  return nullptr;
}

std::string trace_endings() {
  std::string text;
  for (const TraceForm& form : kTraceForms)
    text += (text.empty() ? "" : ", ") + std::string(form.ending);
  return text;
}

std::optional<std::uint64_t> parse_cycle(const std::string& text) {
  std::uint64_t cycle = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), cycle);
  if (status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return cycle;
}

}  // namespace

std::optional<simulator::CycleRange> parse_cycle_range(const std::string& option,
                                                       const std::string& text,
                                                       Diagnostics& diagnostics) {
  const auto dash = text.find('-');
  const auto first = parse_cycle(text.substr(0, dash));
  const auto last = dash == std::string::npos ? std::nullopt : parse_cycle(text.substr(dash + 1));
  if (first && last && *last >= *first && *last != simulator::Cycle::never().number())
    return simulator::CycleRange{simulator::Cycle(*first), simulator::Cycle(*last + 1)};
  diagnostics.error(without_lines(option + " " + text),
                    "a range is written FIRST-LAST, in core cycles, such as 100000-101000");
  return std::nullopt;
}

std::optional<TraceRequest> trace_request(const TraceOptions& options, Diagnostics& diagnostics) {
  const auto errors = diagnostics.errors().size();
  const auto range = parse_cycle_range("--trace-cycles", options.cycles, diagnostics);
  if (options.file.empty())
    return std::nullopt;
  if (form_of(options.file) == nullptr)
    diagnostics.error(without_lines("--trace " + options.file),
                      "the file's name says the form; it ends in " + trace_endings());
  check_writable(options.file, diagnostics);
  if (diagnostics.errors().size() != errors)
    return std::nullopt;
  return TraceRequest{options.file, range->from, range->to};
}

void check_trace(const TraceRequest& request, const simulator::ChipDescription& chip,
                 Diagnostics& diagnostics) {
  if (form_of(request.file)->make == nullptr && chip.sdram.model != simulator::SdramModel::kDdr4)
    diagnostics.error(
        without_lines("--trace " + request.file),
        fmt::format("chip '{}' has no DDR4 whose commands could be written; take one with "
                    "'sdram.model: ddr4', such as ixp1200-ddr4",
                    chip.name));
}

TraceOutput::TraceOutput(TraceRequest request)
    : request_(std::move(request)), file_(request_.file) {
  if (const auto make = form_of(request_.file)->make)
    observer_ = make(file_.stream());
  else
    dram_commands_ = std::make_unique<simulator::dram::TraceWriter>(file_.stream());
}

void TraceOutput::commit(Diagnostics& diagnostics) {
  observer_.reset();  // a form may have an end to write
  file_.commit(diagnostics);
}

}  // namespace nplab::experiments
