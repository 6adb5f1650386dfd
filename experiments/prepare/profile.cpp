#include "experiments/prepare/profile.h"

#include <map>
#include <nlohmann/json.hpp>

#include "support/input_file.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kSchema = "nplab.profile/1";

// Words of each line of a program.
std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> words_of_lines(
    const isa::ProgramImage& image) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> words;
  for (const isa::SourceLine& line : image.lines) {
    if (line.line != 0 && line.file < image.files.size())
      ++words[{image.files[line.file], line.line}];
  }
  return words;
}

}  // namespace

std::string profile_json(const reports::RunRecord& record,
                         const std::vector<CompiledProgram>& programs) {
  Json profile{{"schema", kSchema}, {"lines", Json::array()}};
  for (const CompiledProgram& program : programs) {
    std::map<std::pair<std::string, std::uint64_t>, std::uint64_t>
        executing;  // in and outside of poll loops
    for (const reports::Line& line : record.lines)
      if (line.engine == program.composed.engine)
        executing[{line.file, line.line}] += line.executing;
    for (const auto& [line, words] : words_of_lines(program.image)) {
      profile["lines"].push_back({{"engine", program.composed.engine},
                                  {"file", line.first},
                                  {"line", line.second},
                                  {"executing", executing[line]},
                                  {"words", words}});
    }
  }
  return profile.dump(1) + "\n";
}

std::optional<std::vector<compiler::LineCount>> read_profile(const std::string& path,
                                                             unsigned engine,
                                                             Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  const Json profile = Json::parse(file->bytes, nullptr, /*allow_exceptions=*/false);
  try {
    if (profile.at("schema") != kSchema)
      throw std::invalid_argument("schema");
    std::vector<compiler::LineCount> counts;
    for (const Json& line : profile.at("lines")) {
      if (line.at("engine").get<unsigned>() != engine)
        continue;
      const auto words = line.at("words").get<std::uint64_t>();
      if (words == 0)
        throw std::invalid_argument("words");
      counts.push_back({line.at("file").get<std::string>(), line.at("line").get<int>(),
                        line.at("executing").get<std::uint64_t>() / words});
    }
    return counts;
  } catch (const std::exception&) {
    diagnostics.error({path, 0, 0},
                      "this is not a profile: `nplab run MAPPING --profile-out FILE` writes one");
    return std::nullopt;
  }
}

}  // namespace nplab::experiments
