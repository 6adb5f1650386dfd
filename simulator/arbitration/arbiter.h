// An arbiter chooses which of several requesters is served next. A place where that happens (the
// SRAM and SDRAM units, the command bus, the dispatch of an engine's threads) offers what it knows
// as `requests`; a policy is one small class in a file of its own.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

// What every place offers; most offer more, for the policies made for them. All of it is known in
// the cycle of the decision: a requester that comes later is not there yet.
template <class R>
concept Requests = requires(const R& requests, unsigned requester) {
  { requests.asking() } -> std::same_as<std::uint64_t>;  // who can be served now, a bit each
  { requests.since(requester) } -> std::same_as<Cycle>;  // since when it could be served
};

template <class P, class R>
concept ArbitrationPolicy =
    Requests<R> && std::constructible_from<P, unsigned> &&  // the number of requesters
    requires(P& policy, const P& chosen, const R& requests, unsigned requester, StateHash& hash) {
      { P::kName } -> std::convertible_to<std::string_view>;  // in the chip file
      { chosen.choose(requests) } -> std::same_as<unsigned>;  // one that is asking: one is
      { policy.served(requests, requester) } -> std::same_as<void>;
      { chosen.hash(hash) } -> std::same_as<void>;  // what decides its choices to come
    };

// The first of the requesters of `asking` that follow `last` in rotation.
constexpr unsigned next_in_rotation(std::uint64_t asking, unsigned last) {
  const std::uint64_t following = asking & ~((std::uint64_t{2} << last) - 1);
  return static_cast<unsigned>(std::countr_zero(following != 0 ? following : asking));
}

}  // namespace nplab::simulator
