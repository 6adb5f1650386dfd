#include "mappings/composition/queue_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {

QueueUse::QueueUse(const Queue& queue, const Stage& stage, Side side)
    : queue_(queue), takes_quantum_(side == Side::kConsumer && queue.quantum > 1) {
  for (const ThreadPlace thread : stage.threads) {
    std::vector<std::uint32_t> bases;
    for (const auto& instance : queue.instances) {
      const auto& users = side == Side::kProducer ? instance.producers : instance.consumers;
      if (std::find(users.begin(), users.end(), thread) != users.end())
        bases.push_back(instance.base);
    }
    bases_.push_back(std::move(bases));
  }
}

bool QueueUse::rotates() const {
  return std::any_of(bases_.begin(), bases_.end(),
                     [](const auto& bases) { return bases.size() > 1; });
}

std::string QueueUse::declaration() const {
  std::string code = rotates() ? fmt::format("u32 {}_turn = 0;\n", queue_.name) : "";
  if (takes_quantum_)
    code += fmt::format("u32 {0}_next = 0;\nu32 {0}_left = 0;\n", queue_.name);
  return code +
         fmt::format("u32 {}_queue = {};\n", queue_.name, indexed_constant("rank", column(0)));
}

std::string QueueUse::get_arguments() const {
  const std::string batch =
      takes_quantum_ ? fmt::format(", &{0}_next, &{0}_left", queue_.name) : "";
  return fmt::format("{}_queue{}", queue_.name, batch);
}

std::string QueueUse::next() const {
  if (!rotates())
    return "";
  if (takes_quantum_)
    return fmt::format("if (!{}_left) {{\n{}}}\n", queue_.name, advance());
  return advance();
}

std::string QueueUse::advance() const {
  std::vector<std::uint32_t> counts;
  for (const auto& bases : bases_)
    counts.push_back(static_cast<std::uint32_t>(bases.size()));
  const auto step = uniform_step();
  const std::string wrap =
      fmt::format("if (++{}_turn == {}) {{\n  {}_turn = 0;\n  {}_queue = {};\n}}", queue_.name,
                  indexed_constant("rank", counts), queue_.name, queue_.name,
                  indexed_constant("rank", column(0)));
  if (step)
    return fmt::format("{} else {{\n  {}_queue += {};\n}}\n", wrap, queue_.name, *step);
  std::string chain = wrap;
  for (std::size_t turn = 1; turn < bases_.front().size(); ++turn) {
    chain += fmt::format(" else if ({0}_turn == {1}) {{\n  {0}_queue = {2};\n}}", queue_.name, turn,
                         indexed_constant("rank", column(turn)));
  }
  return chain + "\n";
}

std::vector<std::uint32_t> QueueUse::column(std::size_t turn) const {
  std::vector<std::uint32_t> values;
  for (const auto& bases : bases_)
    values.push_back(bases[std::min(turn, bases.size() - 1)]);
  return values;
}

std::optional<std::uint32_t> QueueUse::uniform_step() const {
  std::set<std::uint32_t> steps;
  for (const auto& bases : bases_) {
    for (std::size_t i = 1; i < bases.size(); ++i)
      steps.insert(bases[i] - bases[i - 1]);
  }
  return steps.size() == 1 ? std::optional(*steps.begin()) : std::nullopt;
}

}  // namespace nplab::mappings
