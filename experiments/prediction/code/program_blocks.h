// The basic blocks of a program.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "isa/control_flow.h"

namespace nplab::experiments {

// From one block to another.
using BlockEdge = std::pair<std::size_t, std::size_t>;

struct ProgramBlocks {
  std::vector<std::size_t> block_of;  // by word; blocks count from 0 in program order
  std::size_t count = 0;
  std::vector<BlockEdge> edges;  // by the word that they leave
};

// Of words with these successors.
ProgramBlocks program_blocks(const std::vector<isa::Successors>& flow);

}  // namespace nplab::experiments
