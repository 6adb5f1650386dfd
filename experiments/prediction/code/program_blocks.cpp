#include "experiments/prediction/code/program_blocks.h"

namespace nplab::experiments {
namespace {

// The first word of each block.
std::vector<bool> leaders(const std::vector<isa::Successors>& flow) {
  std::vector<bool> leads(flow.size(), false);
  for (std::size_t word = 0; word < flow.size(); ++word) {
    if (flow[word].target && *flow[word].target < leads.size())
      leads[*flow[word].target] = true;
    for (const std::uint32_t target : flow[word].computed)
      leads.at(target) = true;
    if ((flow[word].target || !flow[word].next) && word + 1 < leads.size())
      leads[word + 1] = true;
  }
  return leads;
}

}  // namespace

ProgramBlocks program_blocks(const std::vector<isa::Successors>& flow) {
  ProgramBlocks blocks;
  const auto leads = leaders(flow);
  for (std::size_t word = 0; word < flow.size(); ++word) {
    blocks.count += word == 0 || leads[word] ? 1 : 0;
    blocks.block_of.push_back(blocks.count - 1);
  }
  for (std::size_t word = 0; word < flow.size(); ++word) {
    const bool is_last = word + 1 == flow.size();
    if (!is_last && !leads[word + 1])
      continue;
    if (flow[word].next && !is_last)
      blocks.edges.emplace_back(blocks.block_of[word], blocks.block_of[word + 1]);
    if (flow[word].target && *flow[word].target < flow.size())
      blocks.edges.emplace_back(blocks.block_of[word], blocks.block_of[*flow[word].target]);
    for (const std::uint32_t target : flow[word].computed)
      blocks.edges.emplace_back(blocks.block_of[word], blocks.block_of[target]);
  }
  return blocks;
}

}  // namespace nplab::experiments
