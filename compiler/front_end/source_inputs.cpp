#include "compiler/front_end/source_inputs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/sha256.h"

namespace nplab::compiler {
namespace {

namespace fs = std::filesystem;

std::string content_now(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::is_directory(status))
    return SourceInput::kFolder;
  if (!fs::is_regular_file(status))
    return fs::exists(status) ? SourceInput::kUnstable : SourceInput::kAbsent;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return SourceInput::kUnstable;
  return sha256_hex(std::string{std::istreambuf_iterator<char>(file), {}});
}

}  // namespace

bool names_the_time(std::string_view text) {
  return text.find("__DATE__") != text.npos || text.find("__TIME") != text.npos;
}

bool are_stable(const std::vector<SourceInput>& inputs) {
  return std::none_of(inputs.begin(), inputs.end(), [](const SourceInput& input) {
    return input.content == SourceInput::kUnstable;
  });
}

bool are_unchanged(const std::vector<SourceInput>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const SourceInput& input) {
    return content_now(input.path) == input.content;
  });
}

void write_inputs(ByteWriter& to, const std::vector<SourceInput>& inputs) {
  to.number(inputs.size());
  for (const SourceInput& input : inputs) {
    to.text(input.path);
    to.text(input.content);
  }
}

std::vector<SourceInput> read_inputs(ByteReader& from) {
  std::vector<SourceInput> inputs;
  for (std::uint64_t count = from.number(); count != 0; --count) {
    std::string path = from.text();
    inputs.push_back({std::move(path), from.text()});
  }
  return inputs;
}

}  // namespace nplab::compiler
