// The program and the shared libraries that this process runs.
#pragma once

#include <functional>
#include <string>

namespace nplab {

struct LoadedObject {
  std::string file;      // empty: the program itself
  std::string build_id;  // the linker's hash of its content (--build-id), hexadecimal; empty: none
};

// The object that contains this code or variable.
LoadedObject loaded_object_at(const void* address);

void for_each_loaded_object(const std::function<void(const LoadedObject&)>& visit);

}  // namespace nplab
