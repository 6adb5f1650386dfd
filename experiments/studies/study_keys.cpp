#include "experiments/studies/study_keys.h"

namespace nplab::experiments {
namespace {

using namespace parameters;

// A point of the axis, as the file writes it: `8`, `1000`, `acl`. With several axes: values of some
// of them, for all points that have these.
Value point() {
  return one_of({text(), names(text())});
}

Value points() {
  return list(point());
}

Value overrides() {
  return list(text());
}

// Figures by points of the axis.
Value published_figures() {
  return names(number());
}

KeyMap axis_keys() {
  return {{required("name", text(), "The axis; `{NAME}` in `set` stands for the point."),
           required("points", list(text()), "Its points, in order.")},
          ""};
}

KeyMap axes_keys() {
  return {{optional("name", text(), "", "The axis; `{NAME}` in `set` stands for its value."),
           optional("points", list(text()), "", "Its values, in order."),
           optional("from", number(), "",
                    "A range instead of points: its lower end. Values are whole numbers if both "
                    "ends are."),
           optional("to", number(), "", "Its upper end."),
           optional("values", integer(2), "",
                    "How many values of the range, with both ends; a sample may draw from the "
                    "entire range instead."),
           optional("scale", choice({"linear", "log"}), "linear",
                    "Whether the values, or their logarithms, have equal distances."),
           optional("zip", names(list(text())), "",
                    "Instead of the above: names that vary together, each with as many values.")},
          ""};
}

KeyMap sample_keys() {
  return {{required("method", choice({"random", "latin_hypercube"}),
                    "Each axis independently, or each of as many equal parts of it once."),
           required("combinations", integer(1), "How many are drawn."),
           optional("seed", integer(0), "1", "Of the draw.")},
          ""};
}

KeyMap repeat_keys() {
  return {{required("runs", integer(2), "How many runs each point has."),
           optional("seed", integer(0), "1",
                    "The first run's `--seed`; each further run has the next number. `{seed}` "
                    "stands for it."),
           optional("confidence", number(), "95", "Of the interval of the mean (Student's t).")
               .in("%")},
          ""};
}

KeyMap option_keys() {
  return {{optional("chip", text(), "", "As `--chip`; a file beside the study first."),
           optional("workload", text(), "", "As `--workload`."),
           optional("rules", text(), "", "As `--rules`; a file beside the study first."),
           optional("traffic", text(), "", "As `--traffic`."),
           optional("packets", integer(1), "", "As `--packets`."),
           optional("arrival", text(), "", "As `--arrival`."),
           optional("ports_in", text(), "", "As `--ports-in`."),
           optional("seed", any_integer(), "", "As `--seed`."),
           optional("set", overrides(), "", "As `--set`, one or more."),
           optional("updates", text(), "", "As `--updates`.")},
          ""};
}

KeyMap quick_keys() {
  return {{optional("points", points(), "", "Fewer points of the axis."),
           optional("packets", integer(1), "", "Fewer packets."),
           optional("set", overrides(), "", "Further overrides."),
           optional("runs", integer(2), "", "Fewer runs of each point, with `repeat`.")},
          ""};
}

KeyMap figure_keys() {
  return {{required("metric", text(), "A figure of the run (studies.md), or a path in its record."),
           optional("title", text(), "", "What the report calls it."),
           optional("relative", boolean(), "false",
                    "Whether it is divided by the base of its series, as the first figure is."),
           optional("published", names(published_figures()), "",
                    "What others measured, by name and point.")},
          ""};
}

KeyMap reference_keys() {
  return {{optional("series", text(), "", "A series; else each series' own."),
           optional("at", point(), "",
                    "A point; else the one looked at. With several axes: the values in which it "
                    "differs from that one.")},
          ""};
}

KeyMap series_keys() {
  return {{required("name", text(), "The series' name."),
           required("mapping", text(), "The mapping that is run; a file beside the study first."),
           optional("set", overrides(), "", "Its overrides; `{AXIS}` stands for the point."),
           optional("at", names(overrides()), "", "Overrides of one point alone."),
           optional("points", points(), "", "Its points of the axis; else all."),
           optional("rules", text(), "", "Its rule set; else the study's."),
           optional("traffic", text(), "", "Its traffic; else the study's."),
           optional("published", published_figures(), "", "Published first figure, by point."),
           optional("relative_to", section(reference_keys()), "",
                    "What its first figure is divided by; else the study's.")},
          ""};
}

KeyMap ratio_keys() {
  return {{required("series", text(), "A series."),
           optional("at", point(), "", "A point; else the one looked at."),
           optional("over", section(reference_keys()), "", "What its figure is divided by.")},
          ""};
}

KeyMap base_keys() {
  return {{required("series", text(), "A series."), required("at", text(), "A point of it.")}, ""};
}

KeyMap bar_keys() {
  return {
      {required("name", text(), "What the report calls it."),
       required("series", text(), "Its series."), required("at", text(), "Its point of the axis.")},
      ""};
}

KeyMap chart_keys() {
  return {{required("title", text(), "Its title."),
           required("metric", text(), "The figure that the bars show."),
           required("relative_to", section(base_keys()), "The bar of length 1."),
           required("bars", list(section(bar_keys())), "The bars, from top to bottom.")},
          ""};
}

KeyMap claim_keys() {
  return {{required("claim", text(), "The claim as a sentence."),
           required("metric", text(), "The figure that it is about."),
           required("series", text(), "The series."),
           optional("at", one_of({points(), text()}), "",
                    "The points at which it holds; `every`: all."),
           optional("some_of", points(), "", "It holds at one of these points or more."),
           optional("over", section(reference_keys()), "", "What the figure is divided by."),
           optional("than", section(ratio_keys()), "",
                    "Another figure, divided by an `over` of its own; the bounds are of this "
                    "figure divided by that one."),
           optional("at_least", number(), "", "Lower bound."),
           optional("at_most", number(), "", "Upper bound."),
           optional("below", number(), "", "Upper bound, itself excluded."),
           optional("cause", text(), "", "Why it does not hold here, where that is known.")},
          ""};
}

KeyMap all_study_keys() {
  return {
      {required("study", text(), "The study's name."),
       required("summary", text(), "A line for lists and reports."),
       optional("source", text(), "", "Where the published figures come from."),
       optional("axis", section(axis_keys()), "", "What is varied; or `axes`."),
       optional("axes", list(section(axes_keys())), "",
                "Several axes; every combination of their values is run."),
       optional("sample", section(sample_keys()), "",
                "Draws combinations of `axes` instead of running all."),
       optional("where", list(text()), "", "Conditions that combinations of `axes` meet."),
       optional("repeat", section(repeat_keys()), "", "Runs each point with several seeds."),
       required("options", section(option_keys()), "Options of all runs."),
       required("figures", list(section(figure_keys())), "What is printed of the runs."),
       optional("relative_to", section(reference_keys()), "",
                "What the first figure is divided by."),
       required("series", list(section(series_keys())), "Mappings that are run along the axis."),
       optional("claims", list(section(claim_keys())), "", "What is claimed of the figures."),
       optional("charts", list(section(chart_keys())), "",
                "Bar charts of figures of single runs; for studies with one `axis`."),
       optional("notes", list(text()), "", "Remarks under the report."),
       optional(
           "may_refuse", boolean(), "false",
           "Whether a run that is refused before it begins (rules for which a mapping has no room) "
           "is shown as such, and does not fail the study, if another run of its series is not "
           "refused."),
       optional("quick", section(quick_keys()), "", "What `--quick` changes.")},
      ""};
}

}  // namespace

const KeyMap& study_keys() {
  static const KeyMap kKeys = all_study_keys();
  return kKeys;
}

}  // namespace nplab::experiments
