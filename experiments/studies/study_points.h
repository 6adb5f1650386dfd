// The points of a study: their names, and what they stand for.
#pragma once

#include <string>
#include <vector>

#include "experiments/studies/study_file.h"

namespace nplab::experiments {

// `entries=16, threads=2`: what reports and messages call the values of several axes.
StudyPoint label_of(const std::vector<std::string>& names, const Combination& values);

// The NAMEs that stand in a text as `{NAME}`.
std::vector<std::string> placeholders(const std::string& text);

// `text` with {NAME} replaced by the value.
std::string with_value(std::string text, const std::string& name, const std::string& value);

// `text` with {AXIS} replaced by the value that the point has on each axis.
std::string with_point(std::string text, const Study& study, const StudyPoint& point);

// Its value on each of the study's `names`.
Combination values_at(const Study& study, const StudyPoint& point);

// The point that a reference means when it is looked at from `at`. It need not be one of the
// study's.
StudyPoint referred_point(const Study& study, const StudyReference& reference,
                          const StudyPoint& at);

// `at threads 8`, `at entries=16, threads=2`: for messages.
std::string at_point(const Study& study, const StudyPoint& point);

}  // namespace nplab::experiments
