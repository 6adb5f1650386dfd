#include "experiments/calibration/calibration_keys.h"

#include <cstdint>

namespace nplab::experiments {
namespace {

using namespace parameters;

constexpr std::int64_t kMostSettings = 1'000'000;
constexpr std::int64_t kHighest = 1'000'000;

Value settings() {
  return integer(0, kMostSettings);
}
Value percent() {
  return integer(1, 100);
}

KeyMap limit_keys() {
  return {{required("figures", list(text(), 1),
                    "Printed figures: of the table of complete runs by their names there, of "
                    "engines `ROLE.executing_pct`, `.aborted_pct` and `.idle_pct`."),
           required("within", integer(1, kHighest), "How far ours may be from the printed one."),
           required("of", choice({"percent", "points"}),
                    "`percent` of the printed figure, or `points` of its unit."),
           optional("weight", integer(1, 100), "1", "How many figures each of these counts as."),
           required("reason", text(), "Why this limit, and this weight.")},
          ""};
}

KeyMap rule_keys() {
  return {{required("slack", integer(0, kHighest),
                    "A setting is kept when it has at most so many points fewer than the best.")
               .in("points"),
           required("least_kept", integer(2, kMostSettings),
                    "The slack grows until so many settings are kept."),
           required("identified_below", percent(),
                    "A parameter is identified when the kept settings span less of its range.")
               .in("percent"),
           required("predicted_below", percent(),
                    "A figure is predicted when its 5th to 95th percentile spans at most so much "
                    "of its median.")
               .in("percent"),
           required("steady_share", integer(5, 90),
                    "Last part of a shortened run, at whose rates it is continued.")
               .in("percent of its cycles")},
          ""};
}

KeyMap size_keys() {
  return {{required("sample", integer(2, kMostSettings), "Settings of the Latin hypercube."),
           required("rounds", integer(0, 100), "Rounds of refinement near the kept settings."),
           required("refined", settings(), "New settings per round."),
           required("kept", integer(1, kMostSettings),
                    "Settings that are run at full length, at most."),
           required("shippable", settings(),
                    "The best of these, run again with the chip file's values."),
           required("short_packets", integer(1000), "Packets received in a shortened run."),
           required("packets", integer(1000), "Packets received in a full run.")},
          ""};
}

KeyMap parameter_keys() {
  return {
      {required("name", text(), "What the report calls it."),
       required("keys", list(text(), 1),
                "The keys that take its value, as `--set` names them; `queues.*.K` is K of "
                "every queue."),
       optional("mappings", list(text(), 1), "", "The mappings that have it; else all."),
       optional("range", list(any_integer(), 2), "", "Lowest and highest value."),
       optional("step", integer(1, kHighest), "1", "Between two values of the range."),
       optional("levels", list(any_integer(), 2), "", "Its values, instead of a range."),
       required("unit", text(), "Of its values."), required("reason", text(), "Why this range."),
       optional("chosen", boolean(), "false", "Whether no source of the range is known.")},
      ""};
}

KeyMap all_keys_of_calibration() {
  return {{required("calibration", text(), "The study's name."),
           required("summary", text(), "A line for lists and reports."),
           optional("source", text(), "", "Where the printed figures come from."),
           required("fitted", list(text(), 1), "Mappings whose figures are printed."),
           required("predicted", list(text()), "Mappings whose figures are predicted."),
           required("limits", list(section(limit_keys()), 1), "Limits of acceptability."),
           required("rule", section(rule_keys()), "What is kept, identified and predicted."),
           required("full", section(size_keys()), "Numbers of runs."),
           required("quick", section(size_keys()), "Those of `--quick`."),
           required("parameters", list(section(parameter_keys()), 1), "Open parameters.")},
          ""};
}

}  // namespace

const KeyMap& calibration_keys() {
  static const KeyMap kKeys = all_keys_of_calibration();
  return kKeys;
}

const KeyMap& calibration_limit_keys() {
  static const KeyMap kKeys = limit_keys();
  return kKeys;
}

const KeyMap& calibration_parameter_keys() {
  static const KeyMap kKeys = parameter_keys();
  return kKeys;
}

}  // namespace nplab::experiments
