#include "experiments/studies/study_design_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "experiments/studies/study_filter.h"

namespace nplab::experiments {
namespace {

// Text is enough for what a person reads; more is a mistake in the file.
constexpr std::size_t kMostCombinations = 1000000;

std::size_t count_in_grid(const std::vector<StudyAxis>& axes) {
  std::size_t count = 1;
  for (const StudyAxis& axis : axes) {
    count *= std::max<std::size_t>(1, axis.points.size());
    if (count > kMostCombinations)
      break;
  }
  return count;
}

class DesignReader {
 public:
  DesignReader(const yaml::Node& root, Diagnostics& diagnostics)
      : root_(root), sample_(root.find("sample")), diagnostics_(diagnostics) {}

  StudyDesign read() {
    const yaml::Node* axes = root_.find("axes");
    if (axes == nullptr || !axes->is_list())
      return {};  // reported before
    if (axes->items().empty())
      diagnostics_.error(axes->location(), "a study varies at least one axis");
    for (const yaml::Node& axis : axes->items())
      read_axis(axis);
    if (!axes_are_complete_)
      return std::move(design_);
    std::size_t excluded = 0;
    make_combinations(axes->location());
    filter(excluded);
    describe(excluded);
    return std::move(design_);
  }

 private:
  void refuse(const yaml::Node& at, std::string message) {
    diagnostics_.error(at.location(), std::move(message));
    axes_are_complete_ = false;
  }

  void read_axis(const yaml::Node& node) {
    if (!node.is_map())
      return refuse_silently();
    const yaml::Node* points = node.find("points");
    const yaml::Node* from = node.find("from");
    const yaml::Node* zip = node.find("zip");
    if ((points != nullptr) + (from != nullptr) + (zip != nullptr) != 1)
      return refuse(node, "an axis has one of `points`, `from` with `to`, and `zip`");
    if (zip != nullptr)
      return read_zip(node, *zip);
    const yaml::Node* name = node.find("name");
    if (name == nullptr)
      return refuse(node, "an axis has a `name`, for {NAME} in `set`");
    StudyAxis axis;
    add_name(*name, name->scalar(), axis);
    if (from != nullptr)
      read_range(node, *from, axis);
    else
      read_points(node, *points, axis);
    axes_.push_back(std::move(axis));
  }

  // The description of the keys has reported it.
  void refuse_silently() { axes_are_complete_ = false; }

  void add_name(const yaml::Node& at, const std::string& name, StudyAxis& axis) {
    if (std::find(design_.names.begin(), design_.names.end(), name) != design_.names.end())
      refuse(at, fmt::format("there are two axes '{}'", name));
    design_.names.push_back(name);
    axis.names.push_back(name);
  }

  void refuse_keys(const yaml::Node& node, const std::vector<const char*>& keys,
                   const std::string& why) {
    for (const char* key : keys) {
      if (const yaml::Node* found = node.find(key))
        refuse(*found, fmt::format("`{}` {}", key, why));
    }
  }

  void read_points(const yaml::Node& node, const yaml::Node& points, StudyAxis& axis) {
    refuse_keys(node, {"to", "values", "scale"}, "belongs to a range, with `from`");
    for (const yaml::Node& item : points.items())
      axis.points.push_back({item.scalar()});
    if (axis.points.empty())
      refuse(points, "an axis has at least one point");
  }

  void read_zip(const yaml::Node& node, const yaml::Node& zip) {
    refuse_keys(node, {"name", "to", "values", "scale"}, "does not go with `zip`, which names all");
    if (!zip.is_map() || zip.keys().empty())
      return refuse(zip, "`zip` is a map of names and lists of equal length");
    StudyAxis axis;
    const std::size_t length = zip.items().front().items().size();
    axis.points.resize(length);
    for (std::size_t i = 0; i < zip.keys().size(); ++i) {
      const yaml::Node& list = zip.items()[i];
      add_name(list, zip.keys()[i], axis);
      if (list.items().size() != length || length == 0) {
        refuse(list, fmt::format("'{}' has {} values and '{}' has {}; they vary together, so both "
                                 "have as many",
                                 zip.keys()[i], list.items().size(), zip.keys().front(), length));
        continue;
      }
      for (std::size_t k = 0; k < length; ++k)
        axis.points[k].push_back(list.items()[k].scalar());
    }
    axes_.push_back(std::move(axis));
  }

  void read_range(const yaml::Node& node, const yaml::Node& from, StudyAxis& axis) {
    const yaml::Node* to = node.find("to");
    if (to == nullptr)
      return refuse(node, "a range has both ends, `from` and `to`");
    Diagnostics reported;
    const auto low = from.as_number(reported);
    const auto high = to->as_number(reported);
    if (!low || !high)
      return refuse_silently();
    const yaml::Node* scale = node.find("scale");
    const bool is_log = scale != nullptr && scale->scalar() == "log";
    AxisRange range{*low, *high,
                    is_log ? AxisRange::Scale::kLogarithmic : AxisRange::Scale::kLinear,
                    is_whole(from) && is_whole(*to)};
    if (range.from >= range.to)
      return refuse(*to, "`to` is above `from`");
    if (is_log && range.from <= 0)
      return refuse(from, "a range with `scale: log` begins above 0");
    const yaml::Node* values = node.find("values");
    if (values == nullptr && sample_ == nullptr)
      return refuse(node, "a range says how many `values` it gives, unless the study has `sample`");
    if (values == nullptr) {
      axis.range = range;
      return;
    }
    const auto count = values->as_integer(reported);
    if (!count || *count < 2)
      return refuse_silently();
    for (std::string& value : spaced_values(range, static_cast<std::size_t>(*count)))
      axis.points.push_back({std::move(value)});
  }

  static bool is_whole(const yaml::Node& number) {
    return number.scalar().find_first_of(".eE") == std::string::npos;
  }

  void make_combinations(const SourceLocation& at) {
    if (sample_ != nullptr)
      return draw();
    if (count_in_grid(axes_) > kMostCombinations) {
      diagnostics_.error(at, fmt::format("the axes have more than {} combinations; `sample` draws "
                                         "some of them",
                                         kMostCombinations));
      return;
    }
    design_.combinations = without_duplicates(grid(axes_));
    design_.summary = fmt::format("{} combinations of {}", design_.combinations.size(),
                                  fmt::join(design_.names, ", "));
  }

  void draw() {
    Diagnostics reported;
    const yaml::Node* runs = sample_->find("combinations");
    const yaml::Node* method = sample_->find("method");
    const yaml::Node* seed = sample_->find("seed");
    const auto count = runs == nullptr ? std::nullopt : runs->as_integer(reported);
    if (!count || *count < 1 || static_cast<std::size_t>(*count) > kMostCombinations ||
        method == nullptr)
      return;
    const auto drawn_with = seed == nullptr ? std::nullopt : seed->as_integer(reported);
    const bool is_random = method->scalar() == "random";
    const auto all = sample(axes_, is_random ? Sampling::kRandom : Sampling::kLatinHypercube,
                            static_cast<std::size_t>(*count),
                            static_cast<std::uint64_t>(drawn_with.value_or(1)));
    design_.combinations = without_duplicates(all);
    design_.summary = fmt::format(
        "{} combinations of {}, drawn {} with seed {}", all.size(), fmt::join(design_.names, ", "),
        is_random ? "at random" : "as a Latin hypercube", drawn_with.value_or(1));
    if (all.size() > design_.combinations.size())
      design_.summary += fmt::format("; {} of them differ", design_.combinations.size());
  }

  void filter(std::size_t& excluded) {
    const yaml::Node* where = root_.find("where");
    if (where == nullptr)
      return;
    const std::size_t before = design_.combinations.size();
    for (const yaml::Node& condition : where->items())
      keep_where(condition);
    excluded = before - design_.combinations.size();
    if (before > 0 && design_.combinations.empty())
      diagnostics_.error(where->location(), "no combination meets all conditions");
  }

  void keep_where(const yaml::Node& condition) {
    std::string problem;
    const auto refuse_condition = [&] {
      diagnostics_.error(condition.location(),
                         fmt::format("\"{}\": {}", condition.scalar(), problem));
    };
    const auto filter = StudyFilter::parse(condition.scalar(), design_.names, problem);
    if (!filter)
      return refuse_condition();
    std::vector<Combination> kept;
    for (const Combination& combination : design_.combinations) {
      const auto keeps = filter->keeps(combination, problem);
      if (!keeps)
        return refuse_condition();
      if (*keeps)
        kept.push_back(combination);
    }
    design_.combinations = std::move(kept);
  }

  void describe(std::size_t excluded) {
    if (excluded > 0)
      design_.summary += fmt::format("; `where` excludes {}", excluded);
  }

  const yaml::Node& root_;
  const yaml::Node* sample_;  // null: a grid
  Diagnostics& diagnostics_;
  std::vector<StudyAxis> axes_;
  bool axes_are_complete_ = true;
  StudyDesign design_;
};

}  // namespace

StudyDesign read_study_design(const yaml::Node& root, Diagnostics& diagnostics) {
  return DesignReader(root, diagnostics).read();
}

}  // namespace nplab::experiments
