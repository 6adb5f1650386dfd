// A study: runs along an axis or over combinations of several, the figures to print of them, what
// was published and what is claimed. Read from one YAML file (docs/studies.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment_options.h"
#include "experiments/studies/study_design.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

// A value on the study's axis, as the file writes it: `8`, `1000`, `acl`. Of several axes:
// `entries=16, threads=2`.
using StudyPoint = std::string;

// One point of one series. Without a series or a point: those that are looked at.
struct StudyReference {
  std::string series;
  std::optional<StudyPoint> at;
  std::map<std::string, std::string> with;  // of several axes: the values in which it differs
};

// A set of runs of one mapping along the axis.
struct StudySeries {
  std::string name;
  std::string mapping;
  std::vector<std::string> set;                           // KEY=VALUE; {AXIS} stands for the point
  std::map<StudyPoint, std::vector<std::string>> set_at;  // KEY=VALUE of a point alone
  std::vector<StudyPoint> points;  // those of the axis that it has, in its order
  std::string rules;               // empty: the study's
  std::string traffic;
  std::map<StudyPoint, double> published;  // of the study's first figure
  std::optional<StudyReference> relative;  // instead of the study's
  SourceLocation location;
};

// What others measured of the same figure, under a name of their own.
struct PublishedRow {
  std::string name;
  std::map<StudyPoint, double> at;
};

struct StudyFigure {
  std::string metric;
  std::string title;
  bool has_relative =
      false;  // is divided by the base of its series below each line; the first figure always is
  std::vector<PublishedRow> published;
};

// A figure of a series, divided by that of `over`.
struct StudyRatio {
  StudyReference of;
  std::optional<StudyReference> over;
};

// At every point of `at` (or at some), the figure of `series`, divided by that of `over`, lies
// within the bounds; with `than`, how many times that ratio it is.
struct StudyClaim {
  std::string text;
  std::string metric;
  std::string series;
  std::vector<StudyPoint> at;
  bool some = false;
  std::optional<StudyReference> over;
  std::optional<StudyRatio> than;
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> below;
  std::string cause;  // why it does not hold here, where that is known
};

struct StudyBar {
  std::string name;
  std::string series;
  StudyPoint at;
};

// Figures of single runs as bars, ours and the published ones, each divided by its base.
struct StudyChart {
  std::string title;
  std::string metric;
  std::string base_series;
  StudyPoint base_at;
  std::vector<StudyBar> bars;
};

// Each point is run with the seeds `seed`, `seed` + 1, ...
struct StudyRepetition {
  std::size_t runs = 0;
  std::uint64_t seed = 1;
  double confidence_pct = 95;
};

struct Study {
  std::string name;
  std::string folder;  // of its file, where rule sets and traffic are looked for first
  std::string summary;
  std::string source;
  std::string axis;
  std::vector<StudyPoint> points;
  ExperimentOptions options;
  std::vector<StudyFigure> figures;
  std::optional<StudyReference>
      relative;  // what the first figure is divided by; without a series: each series' own
  std::vector<StudySeries> series;
  std::vector<StudyClaim> claims;
  std::vector<StudyChart> charts;
  std::vector<std::string> notes;
  // A series may have no room for the rules of some of its points: these runs are shown as refused.
  bool may_refuse = false;
  std::vector<std::string> names;                  // what is varied: the axis, or several
  std::map<StudyPoint, Combination> combinations;  // of several axes, by point
  std::string design;                              // of several axes: how the points came about
  std::optional<StudyRepetition> repeat;

  [[nodiscard]] bool has_axes() const { return !design.empty(); }
  [[nodiscard]] std::size_t repetitions() const { return repeat ? repeat->runs : 1; }
};

enum class StudySize { kFull, kQuick };

// Which part of a study is run. The quick size takes the points and options of its key
// `quick`; `points`, where there are some, stand for those of the axis, and need not be among them.
struct StudySelection {
  StudySize size = StudySize::kFull;
  std::vector<StudyPoint> points;
};

// Reads and checks a study file; all errors at once.
std::optional<Study> read_study(const std::string& path, const StudySelection& selection,
                                Diagnostics& diagnostics);

}  // namespace nplab::experiments
