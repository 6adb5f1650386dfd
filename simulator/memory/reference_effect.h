// What reads, writes and modifications do to the contents of a memory, apart from when they do it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "simulator/base/ports.h"
#include "simulator/memory/memory_storage.h"

namespace nplab::simulator {

// The longest burst: 8 longwords, or 8 quadwords between SDRAM and a FIFO.
using Burst = std::array<std::uint32_t, 16>;

// Bytes of memory that a read, write or modification refers to.
std::uint32_t referred_bytes(const Command& command);

// Of each quadword of `longwords` the bytes that the mask of `command`, a write of SDRAM, names.
void store_bytes(MemoryStorage& storage, const Command& command,
                 std::span<const std::uint32_t> longwords);

// Performs `command` in cycle `at`: what a write puts down is pulled from `threads`. Gives the
// longwords that go to the thread, which lie in `burst`.
std::span<const std::uint32_t> perform(const Command& command, MemoryStorage& storage,
                                       ThreadAccess& threads, Cycle at, Burst& burst);

}  // namespace nplab::simulator
