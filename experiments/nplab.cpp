#include "experiments/nplab.h"

#include "experiments/run/prepared_run.h"

namespace nplab {

std::optional<reports::RunRecord> run_mapping(const std::string& mapping,
                                              const experiments::ExperimentOptions& options,
                                              Diagnostics& diagnostics) {
  const auto prepared = experiments::prepare_run(mapping, options, diagnostics);
  if (!prepared)
    return std::nullopt;
  auto records = experiments::run_isolated(
      {experiments::isolated_run(*prepared, {})}, [](double) {}, diagnostics);
  return records ? std::optional(std::move(records->front())) : std::nullopt;
}

}  // namespace nplab
