// The page of a search: what its drawing shows of points with and without a prediction.
#include <catch2/catch.hpp>

#include "experiments/exploration/scatter_figure.h"

using namespace nplab;
using namespace nplab::experiments;
using Catch::Contains;

namespace {

// A point on the front, predicted, and others that were not.
Exploration found(std::size_t without_prediction) {
  const auto figures = [](double rate) { return MappingFigures{rate, 10, 20, 3, {}}; };
  Exploration found;
  found.search.simulated.push_back({{0, 1}, figures(400'000), figures(300'000)});
  for (std::size_t i = 0; i < without_prediction; ++i)
    found.search.simulated.push_back({{1, 1}, figures(200'000), std::nullopt});
  found.search.front = {0};
  return found;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

}  // namespace

TEST_CASE("a simulated point without a prediction is hollow and beside the plot, not at rate 0",
          "[exploration]") {
  reports::html::Elements elements;
  const std::string figure = scatter_figure(found(2), elements);
  CHECK(count(figure, "<circle") == 3);
  CHECK(count(figure, "class=\"unpredicted\" fill=\"none\"") == 2);
  CHECK_THAT(figure, Contains("not predicted, simulated 200000 packets/s"));
  CHECK_THAT(figure, Contains("predicted 300000, simulated 400000 packets/s"));
  CHECK_FALSE(Contains("predicted 0,").match(figure));
  // Beyond the plot's right edge, which is at 344 of 400.
  CHECK(count(figure, "cx=\"372.0\"") == 2);
  CHECK_THAT(figure, Contains("2 points are hollow"));
}

TEST_CASE("where all points are predicted the drawing has no column for others", "[exploration]") {
  reports::html::Elements elements;
  const std::string figure = scatter_figure(found(0), elements);
  CHECK(count(figure, "<circle") == 1);
  // 300,000 of an axis of 400,000 that is 288 wide and begins at 56.
  CHECK_THAT(figure, Contains("cx=\"272.0\" cy=\"56.0\""));
  CHECK_FALSE(Contains("no prediction").match(figure));
  CHECK_FALSE(Contains("hollow").match(figure));
}
