// Seeded rule sets and header traces of the 5-tuple, with what a classifier must answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace nplab::tools::testing {

// Source address, destination address, source port, destination port, protocol.
using Header = std::array<std::uint32_t, 5>;

struct GeneratedRule {
  Header low{};  // both ends belong to the range
  Header high{};
  bool deny = false;
};

struct Answers {
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::uint64_t no_match = 0;
};

class GeneratedInput {
 public:
  // `rules` rules of which about a third deny, and `headers` headers: inside a rule, at one of its
  // ends or one beside it, or anywhere. The same for equal arguments on every platform.
  GeneratedInput(unsigned seed, std::size_t rules, std::size_t headers);

  // ClassBench filter lines, and lines of a header trace.
  [[nodiscard]] std::string rules_text() const;
  [[nodiscard]] std::string trace_text() const;
  [[nodiscard]] const std::vector<Header>& headers() const { return headers_; }
  // By a scan of the rules in their order.
  [[nodiscard]] Answers answers() const;
  // Counts one more packet: of this key, or of none that rules could match.
  void count(const std::optional<Header>& key, Answers& answers) const;

 private:
  std::uint32_t draw(std::uint32_t low, std::uint32_t high);
  GeneratedRule draw_rule();
  Header draw_header();

  std::mt19937 random_;
  std::vector<GeneratedRule> rules_;
  std::vector<Header> headers_;
};

}  // namespace nplab::tools::testing
