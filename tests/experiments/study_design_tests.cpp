// What studies vary, which combinations they keep, and how repeated runs are summarised, by values
// computed by hand.
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "experiments/studies/study_design.h"
#include "experiments/studies/study_filter.h"
#include "experiments/studies/study_metrics.h"
#include "experiments/studies/study_statistics.h"

using namespace nplab::experiments;
using Catch::Contains;

namespace {

using Texts = std::vector<std::string>;

AxisRange range(double from, double to, AxisRange::Scale scale, bool is_whole) {
  return {from, to, scale, is_whole};
}

constexpr auto kLinear = AxisRange::Scale::kLinear;
constexpr auto kLog = AxisRange::Scale::kLogarithmic;

StudyAxis listed(const std::string& name, const Texts& values) {
  StudyAxis axis{{name}, {}, {}};
  for (const std::string& value : values)
    axis.points.push_back({value});
  return axis;
}

const Texts kNames{"entries", "threads", "memory"};
const Combination kAt{"16", "4", "sram"};

bool keeps(const std::string& text) {
  std::string problem;
  const auto filter = StudyFilter::parse(text, kNames, problem);
  INFO(text << ": " << problem);
  REQUIRE(filter);
  const auto kept = filter->keeps(kAt, problem);
  INFO(problem);
  REQUIRE(kept);
  return *kept;
}

std::string problem_of(const std::string& text) {
  std::string problem;
  const auto filter = StudyFilter::parse(text, kNames, problem);
  if (filter)
    CHECK_FALSE(filter->keeps(kAt, problem));
  return problem;
}

}  // namespace

TEST_CASE("values of a range have equal distances, or equal ratios", "[study_design]") {
  CHECK(spaced_values(range(1, 10, kLinear, true), 4) == Texts{"1", "4", "7", "10"});
  CHECK(spaced_values(range(16, 256, kLog, true), 5) == Texts{"16", "32", "64", "128", "256"});
  CHECK(spaced_values(range(0.5, 2, kLinear, false), 4) == Texts{"0.5", "1", "1.5", "2"});
  CHECK(spaced_values(range(0.01, 10, kLog, false), 4) == Texts{"0.01", "0.1", "1", "10"});
  // 1, 1.5, 2, 2.5 and 3 as whole numbers
  CHECK(spaced_values(range(1, 3, kLinear, true), 5) == Texts{"1", "2", "3"});
}

TEST_CASE("a grid has every combination, and zipped names vary together", "[study_design]") {
  const StudyAxis zipped{{"rules", "packets"}, {{"a", "10"}, {"b", "20"}}, {}};
  CHECK(grid({listed("threads", {"1", "2"}), zipped}) ==
        std::vector<Combination>{
            {"1", "a", "10"}, {"1", "b", "20"}, {"2", "a", "10"}, {"2", "b", "20"}});
}

TEST_CASE("a Latin hypercube draws from each part of each axis once", "[study_design]") {
  const StudyAxis whole{{"n"}, {}, range(1, 10, kLinear, true)};
  const StudyAxis decades{{"x"}, {}, range(1, 1e10, kLog, false)};
  const auto drawn =
      sample({whole, decades, listed("w", {"a", "b"})}, Sampling::kLatinHypercube, 10, 3);
  REQUIRE(drawn.size() == 10);
  std::set<std::string> numbers;
  std::set<int> powers;
  std::multiset<std::string> words;
  for (const Combination& one : drawn) {
    numbers.insert(one[0]);
    powers.insert(static_cast<int>(std::floor(std::log10(std::stod(one[1])))));
    words.insert(one[2]);
  }
  CHECK(numbers == std::set<std::string>{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  CHECK(powers == std::set<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(words.count("a") == 5);
}

TEST_CASE("a sample depends on its seed alone, and stays within the axes", "[study_design]") {
  const std::vector<StudyAxis> axes{{{"n"}, {}, range(3, 5, kLinear, true)},
                                    listed("w", {"a", "b", "c"})};
  for (const Sampling sampling : {Sampling::kRandom, Sampling::kLatinHypercube}) {
    const auto drawn = sample(axes, sampling, 200, 1);
    CHECK(drawn == sample(axes, sampling, 200, 1));
    CHECK(drawn != sample(axes, sampling, 200, 2));
    CHECK(without_duplicates(drawn).size() == 9);
    std::size_t at_the_end = 0;
    for (const Combination& one : drawn) {
      CHECK((one[0] == "3" || one[0] == "4" || one[0] == "5"));
      at_the_end += one[0] == "5" ? 1 : 0;
    }
    CHECK(at_the_end > 40);  // of 200, 67 are expected: an end is as likely as what lies between
  }
}

TEST_CASE("a condition is computed from a combination's values", "[study_design]") {
  CHECK(keeps("entries >= 4 * threads"));
  CHECK_FALSE(keeps("entries > 4 * threads"));
  CHECK(keeps("entries - 2 * threads == 8"));
  CHECK(keeps("entries % 5 == 1 and entries / threads <= 4"));
  CHECK(keeps("memory == 'sram'"));
  CHECK_FALSE(keeps("memory != \"sram\""));
  CHECK(keeps("not (threads == 4 and memory == 'sdram') and -threads < 0"));
  CHECK(keeps("threads == 9 or threads == 4"));
  // `and` binds more than `or`, and a product more than a sum
  CHECK(keeps("1 == 1 or 1 == 2 and 1 == 2"));
  CHECK(keeps("2 + 3 * threads == 14"));
  CHECK(keeps("threads == 4.0"));
}

TEST_CASE("a condition that is wrong says what is wrong", "[study_design]") {
  CHECK(problem_of("entires > 1") ==
        "there is no axis 'entires'; did you mean 'entries'?; text is written in quotes");
  CHECK(problem_of("entries >") == "a name or a number is missing at the end");
  CHECK(problem_of("(entries > 1") == "a ')' is missing");
  CHECK(problem_of("entries > 1 2") == "'2' is not expected here");
  CHECK(problem_of("memory > 3") == "'sram' is not a number");
  CHECK(problem_of("entries / (threads - 4) > 1") == "the divisor is 0");
  CHECK(problem_of("memory") == "'sram' is not a number");
  CHECK(problem_of("memory == 'sram") == "a ' is missing");
}

TEST_CASE("the interval of a mean is that of Student's t", "[study_design]") {
  // mean 3, squares 10, deviation sqrt(10 / 4), t(0.975, 4) = 2.776445
  const auto five = mean_and_interval({1, 2, 3, 4, 5}, 95);
  CHECK(five.count == 5);
  CHECK(five.mean == Approx(3));
  CHECK(five.deviation == Approx(1.5811388));
  CHECK(*five.half_width == Approx(2.776445 * 1.5811388 / std::sqrt(5.0)).epsilon(1e-6));
  // deviation sqrt(2), so the width is t(0.95, 1) = 6.313752
  const auto two = mean_and_interval({10, 12}, 90);
  CHECK(two.mean == 11);
  CHECK(*two.half_width == Approx(6.313752).epsilon(1e-6));
  CHECK(*mean_and_interval({7, 7, 7}, 95).half_width == 0);
  CHECK_FALSE(mean_and_interval({7}, 95).half_width);
}

TEST_CASE("a metric is a name or the path of a number in the record", "[study_design]") {
  nplab::reports::RunRecord record;
  record.latency_cycles.p99 = 4321;
  record.engines.resize(2);
  record.engines[1].cycles.executing = 17;
  const Texts names{"latency_cycles.p99", "engines.1.cycles.executing",
                    "engines.2.cycles.executing", "latency_p50"};
  for (const std::string& name : names)
    CHECK(study_metric_problem(name) == "");
  const auto figures = study_metrics(names, record);
  CHECK(figures[0] == 4321.0);
  CHECK(figures[1] == 17.0);
  CHECK_FALSE(figures[2]);
  CHECK(figures[3] == 0.0);
}

TEST_CASE("a metric that no record has is answered with the nearest name", "[study_design]") {
  CHECK(study_metric_problem("packet_per_s") ==
        "there is no metric 'packet_per_s'; did you mean 'packets_per_s'?");
  CHECK(study_metric_problem("latency_cycle.p99") ==
        "there is no metric 'latency_cycle.p99'; did you mean 'latency_cycles'?");
  CHECK_THAT(study_metric_problem("latency_cycles.p98"),
             Contains("there is no 'p98' in latency_cycles; did you mean 'p9"));
  CHECK_THAT(study_metric_problem("latency_cycles"), Contains("'latency_cycles' is not a number"));
  CHECK_THAT(study_metric_problem("engines.executing_pct"),
             Contains("'engines' is a list: a number, 0 for its first item"));
  CHECK_THAT(study_metric_problem("lines.0.executing"), Contains("lean and have no 'lines'"));
  CHECK_THAT(study_metric_problem("inputs.mapping.name"), Contains("is not a number"));
}
