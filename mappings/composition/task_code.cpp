#include "mappings/composition/task_code.h"

#include <fmt/format.h>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

bool is_array(const FieldReference& reference) {
  return reference.selector == FieldReference::Selector::kAllDimensions;
}

bool is_field(const FieldReference& reference) {
  return reference.kind == FieldReference::Kind::kPacketField;
}

std::string high_member(const FieldReference& reference) {
  return reference.name + "_high";
}

std::string members(const TaskDeclaration& task, const std::vector<FieldReference>& references,
                    std::size_t dimensions) {
  std::string text;
  for (const FieldReference& reference : references) {
    const std::string size = is_array(reference) ? fmt::format("[{}]", dimensions) : "";
    text += fmt::format("  u32 {}{};\n", reference.name, size);
    if (task.wide_fields && is_field(reference))
      text += fmt::format("  u32 {}{};\n", high_member(reference), size);
  }
  return text;
}

std::string variable_of(const FieldReference& reference, std::optional<unsigned> dimension) {
  if (is_field(reference))
    return field_variable(*dimension);
  if (reference.kind == FieldReference::Kind::kPacketLength)
    return "PACKET_LENGTH(info)";
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

// The bits above the lower 32 of each packet field that the call reads; 0 where it has none.
std::string read_high_fields(const TaskCall& call, const TaskDeclaration& task,
                             const std::vector<workloads::FieldDefinition>& fields) {
  std::string code;
  const auto read = [&](const std::string& member, unsigned d) {
    code += fmt::format("  reads.{} = {};\n", member,
                        fields[d].bits > kRegisterBits ? high_field_variable(d) : "0");
  };
  for (const FieldReference& reference : task.reads) {
    if (!is_field(reference))
      continue;
    for (unsigned d = 0; is_array(reference) && d < fields.size(); ++d)
      read(fmt::format("{}[{}]", high_member(reference), d), d);
    if (!is_array(reference))
      read(high_member(reference), *call.dimension);
  }
  return code;
}

}  // namespace

std::string task_structs(const TaskDeclaration& task, std::size_t dimensions) {
  return fmt::format("struct {0}_reads {{\n{1}}};\nstruct {0}_writes {{\n{2}}};\n", task.name,
                     members(task, task.reads, dimensions), members(task, task.writes, dimensions));
}

std::string task_call(const TaskCall& call, const TaskDeclaration& task,
                      const std::vector<workloads::FieldDefinition>& fields,
                      const std::string& leave) {
  const std::size_t dimensions = fields.size();
  std::string code =
      fmt::format("{{\n  struct {0}_reads reads;\n  struct {0}_writes writes;\n", task.name);
  code += for_each_element(task.reads, call, dimensions,
                           [](const std::string& member, const std::string& variable) {
                             return fmt::format("  reads.{} = {};\n", member, variable);
                           });
  if (task.wide_fields)
    code += read_high_fields(call, task, fields);
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
