#include "experiments/prepare/record_names.h"

#include <filesystem>

#include "experiments/prepare/data_directory.h"

namespace nplab::experiments {
namespace fs = std::filesystem;
namespace {

fs::path whole(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

std::string name_of_one(const std::string& name, const fs::path& data,
                        const std::vector<std::string>& given) {
  const fs::path path = whole(name);
  const fs::path inside = path.lexically_relative(data);
  const bool is_data = !inside.empty() && *inside.begin() != ".." && inside != ".";
  if (is_data && fs::exists(path))
    return inside.string();
  for (const std::string& one : given) {
    if (whole(one) == path)
      return one;
  }
  return name;
}

}  // namespace

std::string record_name(const std::string& name, const std::vector<std::string>& given) {
  const fs::path data = whole(data_directory());
  if (name.starts_with("gen:") || fs::exists(name))
    return name_of_one(name, data, given);
  std::string text;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find(' ', at), name.size());
    text += (at == 0 ? "" : " ") + name_of_one(name.substr(at, end - at), data, given);
    at = end + 1;
  }
  return text;
}

}  // namespace nplab::experiments
