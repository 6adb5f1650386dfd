// The C code of tasks: the structs that hold exactly what each declares, and its calls.
#pragma once

#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// `struct NAME_reads` and `struct NAME_writes` for one task. A task that touches anything else does
// not compile.
std::string task_structs(const TaskDeclaration& task, std::size_t dimensions);

// A block that calls the task and, where it may decide that no rule matches, the statement `leave`.
std::string task_call(const TaskCall& call, const TaskDeclaration& task,
                      const std::vector<workloads::FieldDefinition>& fields,
                      const std::string& leave);

}  // namespace nplab::mappings
