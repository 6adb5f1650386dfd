// The atomic operations on a longword that SRAM and scratch share, and compare_and_swap.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "simulator/base/command.h"

namespace nplab::simulator {

// What a thread sends with a bit operation: a mask, or what is expected and what is to take its
// place.
using SentLongwords = std::array<std::uint32_t, 2>;
// The part of `sent` that `command` fills.
std::span<std::uint32_t> sent_longwords(const Command& command, SentLongwords& sent);

// Only a cache performs it, or the memory behind one for it.
bool is_compare_and_swap(const Command& command);

// The longword that `command`, a bit operation, makes of `old`.
std::uint32_t modified_bits(const Command& command, std::uint32_t old, const SentLongwords& sent);

// Whether the old value goes back to the thread: test_and_set, test_and_clear, compare_and_swap.
bool returns_old_value(const Command& command);

}  // namespace nplab::simulator
