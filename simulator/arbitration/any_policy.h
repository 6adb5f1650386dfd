// One of several policies, chosen when the chip is made. The set is closed, so that a choice costs
// a comparison and no indirect call.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

template <class... Policies>
class AnyPolicy {
 public:
  // A policy by its place in the list; the first is the default.
  enum class Choice : std::uint8_t {};

  AnyPolicy(Choice choice, unsigned requesters) : policy_(make(choice, requesters)) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    return std::visit([&](const auto& policy) { return policy.choose(requests); }, policy_);
  }
  void served(const Requests auto& requests, unsigned requester) {
    std::visit([&](auto& policy) { policy.served(requests, requester); }, policy_);
  }
  void hash(StateHash& hash) const {
    std::visit([&](const auto& policy) { policy.hash(hash); }, policy_);
  }

  // Whether only the oldest request may ask.
  [[nodiscard]] bool in_order() const {
    return std::visit(
        [](const auto& policy) { return requires { std::decay_t<decltype(policy)>::kInOrder; }; },
        policy_);
  }

  // The names of the choices, in their order.
  friend std::vector<std::string> choice_words(Choice) { return {std::string(Policies::kName)...}; }

 private:
  using Policy = std::variant<Policies...>;

  static Policy make(Choice choice, unsigned requesters) {
    using Make = Policy (*)(unsigned);
    constexpr std::array<Make, sizeof...(Policies)> kMake{
        [](unsigned count) { return Policy(std::in_place_type<Policies>, count); }...};
    return kMake[static_cast<std::size_t>(choice)](requesters);
  }

  Policy policy_;
};

}  // namespace nplab::simulator
