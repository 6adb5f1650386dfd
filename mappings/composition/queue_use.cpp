#include "mappings/composition/queue_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {

QueueUse::QueueUse(const Queue& queue, const Stage& stage, Side side) : queue_(queue), side_(side) {
  if (is_numbered())
    return;
  for (const ThreadPlace thread : stage.threads) {
    std::vector<const QueueInstance*> rings;
    for (const QueueInstance& instance : queue.instances) {
      const auto& users = side == Side::kProducer ? instance.producers : instance.consumers;
      if (std::find(users.begin(), users.end(), thread) != users.end())
        rings.push_back(&instance);
    }
    rings_.push_back(std::move(rings));
  }
}

unsigned QueueUse::rings() const {
  std::size_t most = 0;
  for (const auto& rings : rings_)
    most = std::max(most, rings.size());
  return static_cast<unsigned>(most);
}

std::vector<std::string> QueueUse::counts() const {
  const QueueProtocol& protocol = queue_.protocol;
  std::vector<std::string> counts;
  if (protocol.shape == RingShape::kCounters)
    return counts;
  if (side_ == Side::kConsumer) {
    if (protocol.consumers.count == CountPlace::kThread)
      counts.emplace_back("head");
    if (protocol.taking == Taking::kClaims)
      counts.emplace_back("claim");
    return counts;
  }
  if (protocol.producers.count == CountPlace::kThread) {
    const bool is_packed = protocol.shape == RingShape::kLapBit && packs_counts(protocol.producers);
    counts.emplace_back(is_packed ? "counts" : "tail");
    if (protocol.shape == RingShape::kLapBit && !is_packed)
      counts.emplace_back("freed");
  }
  return counts;
}

std::string QueueUse::declaration() const {
  if (is_numbered())
    return "";
  std::string code = rotates() ? fmt::format("u32 {}_turn = 0;\n", queue_.name) : "";
  for (const std::string& count : counts()) {
    code += fmt::format("u32 {}_{} = 0;\n", queue_.name, count);
    for (unsigned ring = 1; ring < rings(); ++ring)
      code += fmt::format("u32 {}_{}_{} = 0;\n", queue_.name, count, ring);
  }
  if (side_ == Side::kConsumer && queue_.quantum > 1)
    code += fmt::format("u32 {0}_next = 0;\nu32 {0}_left = 0;\n", queue_.name);
  return code +
         fmt::format("u32 {}_queue = {};\n", queue_.name, indexed_constant("rank", column(0)));
}

std::string QueueUse::arguments() const {
  if (is_numbered())
    return metadata_variable(*queue_.carried_order());
  std::string text = queue_.name + "_queue";
  for (const std::string& count : counts())
    text += fmt::format(", &{}_{}", queue_.name, count);
  if (side_ == Side::kConsumer && queue_.quantum > 1)
    text += fmt::format(", &{0}_next, &{0}_left", queue_.name);
  return text;
}

std::string QueueUse::next() const {
  if (!rotates())
    return "";
  if (side_ == Side::kConsumer && queue_.quantum > 1)
    return fmt::format("if (!{}_left) {{\n{}}}\n", queue_.name, indented(advance(), 1));
  return advance();
}

std::string QueueUse::advance() const {
  std::string code;
  for (const std::string& count : counts())
    code += rotate(fmt::format("{}_{}", queue_.name, count));
  std::vector<std::uint32_t> numbers;
  for (const auto& rings : rings_)
    numbers.push_back(static_cast<std::uint32_t>(rings.size()));
  const auto step = uniform_step();
  code += fmt::format("if (++{}_turn == {}) {{\n  {}_turn = 0;\n  {}_queue = {};\n}}", queue_.name,
                      indexed_constant("rank", numbers), queue_.name, queue_.name,
                      indexed_constant("rank", column(0)));
  if (step)
    return code + fmt::format(" else {{\n  {}_queue += {};\n}}\n", queue_.name, *step);
  for (std::size_t turn = 1; turn < rings_.front().size(); ++turn) {
    code += fmt::format(" else if ({0}_turn == {1}) {{\n  {0}_queue = {2};\n}}", queue_.name, turn,
                        indexed_constant("rank", column(turn)));
  }
  return code + "\n";
}

// The counts of the rings change places: the next ring's is the one without a number.
std::string QueueUse::rotate(const std::string& variable) const {
  std::string code = fmt::format("const u32 {0}_now = {0};\n{0} = {0}_1;\n", variable);
  for (unsigned ring = 1; ring + 1 < rings(); ++ring)
    code += fmt::format("{0}_{1} = {0}_{2};\n", variable, ring, ring + 1);
  return code + fmt::format("{0}_{1} = {0}_now;\n", variable, rings() - 1);
}

std::string QueueUse::signal(unsigned contexts) const {
  const auto number = [&](const ThreadPlace& thread) {
    return thread.engine * (contexts > 4 ? 8 : 4) + thread.context;
  };
  const std::vector<ThreadPlace>& first = queue_.instances.front().consumers;
  if (first.size() > 1) {
    std::vector<std::uint32_t> consumers;
    for (const ThreadPlace& thread : first)
      consumers.push_back(number(thread));
    const std::string index = fmt::format("({}_place >> 1 & {})", queue_.name, first.size() - 1);
    return fmt::format("signal_thread({});\n", indexed_constant(index, consumers));
  }
  std::string code;
  for (unsigned turn = 0; turn < rings(); ++turn) {
    std::vector<std::uint32_t> by_rank;
    for (const auto& rings : rings_) {
      const QueueInstance& ring = *rings[std::min<std::size_t>(turn, rings.size() - 1)];
      by_rank.push_back(number(ring.consumers.front()));
    }
    const std::string condition =
        rotates() ? fmt::format("if ({}_turn == {}) ", queue_.name, turn) : "";
    code += fmt::format("{}signal_thread({});\n", condition, indexed_constant("rank", by_rank));
  }
  return code;
}

std::vector<std::uint32_t> QueueUse::column(std::size_t turn) const {
  std::vector<std::uint32_t> values;
  for (const auto& rings : rings_)
    values.push_back(rings[std::min(turn, rings.size() - 1)]->base);
  return values;
}

std::optional<std::uint32_t> QueueUse::uniform_step() const {
  std::set<std::uint32_t> steps;
  for (const auto& rings : rings_) {
    for (std::size_t i = 1; i < rings.size(); ++i)
      steps.insert(rings[i]->base - rings[i - 1]->base);
  }
  return steps.size() == 1 ? std::optional(*steps.begin()) : std::nullopt;
}

}  // namespace nplab::mappings
