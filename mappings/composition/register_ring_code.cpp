#include "mappings/composition/register_ring_code.h"

#include <fmt/format.h>

#include <vector>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

// Threads are not preempted and nothing here waits: a look and what follows from it are one step.
class RegisterRingCode {
 public:
  RegisterRingCode(const Queue& queue, std::size_t number) : queue_(queue), number_(number) {
    values_ = {"buffer", "info"};
    for (const MetadataElement& element : queue.carried)
      values_.push_back(metadata_variable(element));
  }

  [[nodiscard]] std::string text() const {
    std::string code = fmt::format("// queue {}: {} entries of {} longwords in registers\n",
                                   queue_.name, queue_.entries, queue_.entry_longwords);
    return code + variables() + put() + get() + "\n";
  }

 private:
  // At the end of a slot's branch: an optimizer would merge the branches and choose the register by
  // a variable, which an instruction cannot. Takes no instruction.
  static constexpr const char* kKeepApart = "__asm__ volatile(\"\");\n";

  [[nodiscard]] std::string entry(std::uint32_t slot, const std::string& value) const {
    return fmt::format("{}_{}_{}", queue_.name, value, slot);
  }

  [[nodiscard]] std::string variables() const {
    std::string code =
        fmt::format("static __shared u32 {0}_tail;\nstatic __shared u32 {0}_head;\n", queue_.name);
    for (std::uint32_t slot = 0; slot < queue_.entries; ++slot) {
      for (const std::string& value : values_)
        code += fmt::format("static __shared u32 {};\n", entry(slot, value));
    }
    return code;
  }

  // `assignment` of every value, for the slot of a count.
  template <typename Assignment>
  [[nodiscard]] std::string in_slot(const std::string& count, const Assignment& assignment) const {
    std::string code;
    for (std::uint32_t slot = 0; slot < queue_.entries; ++slot) {
      std::string body;
      for (const std::string& value : values_)
        body += assignment(value, entry(slot, value));
      if (queue_.entries > 1)
        body += kKeepApart;
      const bool is_last = slot + 1 == queue_.entries;
      const std::string condition =
          is_last ? "" : fmt::format("if (({} & {}) == {}) ", count, queue_.entries - 1, slot);
      code += fmt::format("{}{}{{\n{}}}", slot == 0 ? "" : " else ", condition, indented(body, 1));
    }
    return indented(code + "\n", 1);
  }

  [[nodiscard]] std::string put() const {
    std::string parameters;
    for (const std::string& value : values_)
      parameters += ", u32 " + value;
    const std::string tail = queue_.name + "_tail";
    std::string code = fmt::format("static inline u32 {}_put(u32 queue{}) {{\n  atomic_begin();\n",
                                   queue_.name, parameters);
    code += fmt::format("  if ({} - {}_head == {}) {{ atomic_end(); return 0; }}\n", tail,
                        queue_.name, queue_.entries);
    code += in_slot(tail, [](const std::string& value, const std::string& place) {
      return fmt::format("{} = {};\n", place, value);
    });
    return code + fmt::format(
                      "  {0} = {0} + 1;\n  queue_entry_put(queue, {1});\n  atomic_end();\n"
                      "  return 1;\n}}\n",
                      tail, number_);
  }

  [[nodiscard]] std::string get() const {
    std::string parameters;
    for (const std::string& value : values_)
      parameters += ", u32* " + value;
    const std::string head = queue_.name + "_head";
    std::string code = fmt::format("static inline u32 {}_get(u32 queue{}) {{\n  atomic_begin();\n",
                                   queue_.name, parameters);
    code += fmt::format("  if ({}_tail == {}) {{ atomic_end(); return 0; }}\n", queue_.name, head);
    code += in_slot(head, [](const std::string& value, const std::string& place) {
      return fmt::format("*{} = {};\n", value, place);
    });
    return code + fmt::format(
                      "  {0} = {0} + 1;\n  queue_entry_taken(queue, {1});\n"
                      "  atomic_end();\n  return 1;\n}}\n",
                      head, number_);
  }

  const Queue& queue_;
  const std::size_t number_;
  std::vector<std::string> values_;
};

}  // namespace

std::string register_ring_code(const Queue& queue, std::size_t number) {
  return RegisterRingCode(queue, number).text();
}

}  // namespace nplab::mappings
