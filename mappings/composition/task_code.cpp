#include "mappings/composition/task_code.h"

#include <fmt/format.h>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

bool is_array(const FieldReference& reference) {
  return reference.selector == FieldReference::Selector::kAllDimensions;
}

std::string members(const std::vector<FieldReference>& references, std::size_t dimensions) {
  std::string text;
  for (const FieldReference& reference : references) {
    text += is_array(reference) ? fmt::format("  u32 {}[{}];\n", reference.name, dimensions)
                                : fmt::format("  u32 {};\n", reference.name);
  }
  return text;
}

std::string variable_of(const FieldReference& reference, std::optional<unsigned> dimension) {
  if (reference.kind == FieldReference::Kind::kPacketField)
    return field_variable(*dimension);
  return metadata_variable({reference.name, dimension});
}

// `assignment` is called with a struct's member and the local variable that stands for it.
template <typename Assignment>
std::string for_each_element(const std::vector<FieldReference>& references, const TaskCall& call,
                             std::size_t dimensions, const Assignment& assignment) {
  std::string text;
  for (const FieldReference& reference : references) {
    if (is_array(reference)) {
      for (unsigned d = 0; d < dimensions; ++d) {
        text += assignment(fmt::format("{}[{}]", reference.name, d), variable_of(reference, d));
      }
    } else {
      const bool own = reference.selector == FieldReference::Selector::kOwnDimension;
      text +=
          assignment(reference.name, variable_of(reference, own ? call.dimension : std::nullopt));
    }
  }
  return text;
}

}  // namespace

std::string task_structs(const TaskDeclaration& task, std::size_t dimensions) {
  return fmt::format("struct {0}_reads {{\n{1}}};\nstruct {0}_writes {{\n{2}}};\n", task.name,
                     members(task.reads, dimensions), members(task.writes, dimensions));
}

std::string task_call(const TaskCall& call, const TaskDeclaration& task, std::size_t dimensions,
                      const std::string& leave) {
  std::string code =
      fmt::format("{{\n  struct {0}_reads reads;\n  struct {0}_writes writes;\n", task.name);
  code += for_each_element(task.reads, call, dimensions,
                           [](const std::string& member, const std::string& variable) {
                             return fmt::format("  reads.{} = {};\n", member, variable);
                           });
  code += fmt::format("  {}({}&reads, &writes);\n", task.name,
                      call.dimension ? fmt::format("{}, ", *call.dimension) : "");
  code += for_each_element(task.writes, call, dimensions,
                           [](const std::string& member, const std::string& variable) {
                             return fmt::format("  {} = writes.{};\n", variable, member);
                           });
  code += "}\n";
  if (call.leave_when_zero)
    code += fmt::format("if (!{}) {}\n", metadata_variable(*call.leave_when_zero), leave);
  return code;
}

}  // namespace nplab::mappings
