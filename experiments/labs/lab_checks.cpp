#include "experiments/labs/lab_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "experiments/labs/drawn_input.h"
#include "experiments/prepare/data_directory.h"
#include "support/input_file.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/yaml_file.h"

namespace nplab::experiments {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr double kAnswerTolerance = 0.01;  // of the figure

// `cycles.total`, `engines.3.role`: keys and indices, joined by dots. Null where there is no such
// value.
Json value_at(const Json& document, const std::string& path) {
  const Json* value = &document;
  std::istringstream steps(path);
  for (std::string step; std::getline(steps, step, '.');) {
    if (value->is_object() && value->contains(step))
      value = &value->at(step);
    else if (value->is_array() && std::all_of(step.begin(), step.end(), ::isdigit) &&
             std::stoul(step) < value->size())
      value = &value->at(std::stoul(step));
    else
      return nullptr;
  }
  return *value;
}

std::string scalar_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The first `word` of the text, if it has one.
void replace(std::string& text, const std::string& word, const std::string& by) {
  if (const auto at = text.find(word); at != std::string::npos)
    text.replace(at, word.size(), by);
}

class LabCheck {
 public:
  LabCheck(const yaml::Node& check, const LabVariant& variant, fs::path folder, std::string program,
           std::uint64_t seed)
      : check_(check),
        variant_(variant),
        folder_(std::move(folder)),
        program_(std::move(program)),
        seed_(seed) {}

  Json run() {
    Json result{{"name", text_of(check_, "name")},
                {"points", std::stoul(check_.find("points")->scalar())},
                {"passed", false}};
    const yaml::Node* inputs = check_.find("inputs");
    const std::string problem = inputs != nullptr ? look_at_inputs(*inputs) : look("");
    if (!problem.empty()) {
      result["error"] = problem;
      return result;
    }
    result["passed"] = passed_;
    if (!error_.empty())
      result["error"] = error_;
    result["figures"] = figures_;
    return result;
  }

 private:
  // A text of the lab, with the figures of the variant.
  [[nodiscard]] std::string text_of(const yaml::Node& of, const std::string& key) const {
    return variant_.applied_to(of.find(key)->scalar());
  }

  // One call, and its figures; what went wrong otherwise.
  std::string look(const std::string& input_file) {
    if (std::string problem = call(input_file); !problem.empty())
      return problem;
    compare("equals");
    compare("at_most");
    compare("at_least");
    if (const yaml::Node* answers = check_.find("answers"))
      compare_answers(*answers);
    return "";
  }

  // A call with each drawn input.
  std::string look_at_inputs(const yaml::Node& inputs) {
    const std::string& kind = inputs.find("kind")->scalar();
    Diagnostics diagnostics;
    const auto files = TemporaryFolder::create("nplab-lab", diagnostics);
    if (!files)
      return diagnostics.to_string();
    const auto count = std::stoul(inputs.find("count")->scalar());
    const auto size = inputs.find("size") != nullptr ? std::stoul(text_of(inputs, "size")) : 0;
    for (unsigned i = 0; i < count; ++i) {
      const auto input = draw_input(kind, size, seed_ * 1000 + i);
      assert(input && "a lab.yaml names a kind of input that there is");
      const std::string file = (files->path() / "input").string();
      std::ofstream stream(file);
      for (const std::uint32_t longword : input->longwords)
        stream << longword << '\n';
      stream.close();
      if (std::string problem = look(file); !problem.empty())
        return problem;
      const Json found = value_at(document_, inputs.find("result")->scalar());
      add(fmt::format("result for input {}", i + 1), found, result_words(kind),
          found == input->result);
    }
    return "";
  }

  // Calls nplab and keeps the JSON that it prints; what went wrong otherwise. A program may return
  // any number.
  std::string call(const std::string& input_file) {
    ProcessRequest request{.command = {program_}, .folder = folder_};
    std::vector<std::string> call;
    for (const yaml::Node& argument : check_.find("call")->items())
      call.push_back(argument.scalar());
    for (std::string text : variant_.applied_to(call)) {
      replace(text, "INPUT", input_file);
      replace(text, "SEED", std::to_string(seed_));
      request.command.push_back(text);
    }
    Diagnostics diagnostics;
    const auto called = run_process(request, diagnostics);
    if (!called)
      return diagnostics.to_string();
    document_ = Json::parse(called->out, nullptr, false);
    if (called->end.signal == 0 && called->end.exit_status <= 1 && !document_.is_discarded())
      return "";
    if (called->end.signal != 0 || called->err.empty())
      return "nplab " + called->end.text();
    return called->err;
  }

  void add(const std::string& what, const Json& found, const Json& wanted, bool passed) {
    figures_.push_back({{"what", what}, {"found", found}, {"wanted", wanted}, {"passed", passed}});
    passed_ = passed_ && passed;
  }

  void compare(const char* relation) {
    const yaml::Node* wanted = check_.find(relation);
    if (wanted == nullptr)
      return;
    for (const std::string& path : wanted->keys()) {
      const Json found = value_at(document_, path);
      const std::string text = text_of(*wanted, path);
      if (std::string(relation) == "equals") {
        add(path, found, text, scalar_text(found) == text);
        continue;
      }
      const double bound = std::stod(text);
      const bool within =
          found.is_number() && (std::string(relation) == "at_most" ? found.get<double>() <= bound
                                                                   : found.get<double>() >= bound);
      add(path, found,
          fmt::format("{} {}", std::string(relation) == "at_most" ? "at most" : "at least", text),
          within);
    }
  }

  // A student's figures, each near the run's.
  void compare_answers(const yaml::Node& answers) {
    Diagnostics diagnostics;
    const std::string path = (folder_ / check_.find("file")->scalar()).string();
    const auto given = read_yaml_file(path, diagnostics);
    for (const std::string& key : answers.keys()) {
      const yaml::Node& figure = *answers.find(key);
      const Json is = value_at(document_, figure.find("is")->scalar());
      const auto value_of = [&](const char* key) {
        return figure.find(key) ? value_at(document_, figure.find(key)->scalar()) : Json(1);
      };
      const Json per = value_of("per"), times = value_of("times");
      assert(is.is_number() && per.is_number() && times.is_number() &&
             "a lab asks for figures of the run record");
      const double right = is.get<double>() * times.get<double>() / per.get<double>();
      const yaml::Node* answer = given && given->root.is_map() ? given->root.find(key) : nullptr;
      const auto number = answer != nullptr ? answer->as_number(diagnostics) : std::nullopt;
      const bool near = number && std::abs(*number - right) <= kAnswerTolerance * std::abs(right);
      add(key, number ? Json(*number) : Json(nullptr), "the run's figure, within 1 %", near);
    }
    if (diagnostics.has_errors())
      error_ = diagnostics.to_string();
  }

  const yaml::Node& check_;
  const LabVariant& variant_;
  fs::path folder_;
  std::string program_;
  std::uint64_t seed_;
  Json document_;
  Json figures_ = Json::array();
  std::string error_;  // of the answers' file
  bool passed_ = true;
};

std::optional<Lab> read_lab(const fs::path& folder, Diagnostics& diagnostics) {
  const std::string path = (folder / "lab.yaml").string();
  const auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  const yaml::Node* root = &file->root;
  const auto required = [&](const char* key) { return root->require(key, diagnostics); };
  const yaml::Node *title = required("title"), *aim = required("aim"),
                   *minutes = required("minutes"), *files = required("files"),
                   *hints = required("hints"), *checks = required("checks");
  if (diagnostics.has_errors())
    return std::nullopt;
  Lab lab;
  lab.number = static_cast<unsigned>(std::atoi(folder.filename().c_str()));
  lab.title = title->scalar();
  lab.aim = aim->scalar();
  lab.minutes = static_cast<unsigned>(std::atoi(minutes->scalar().c_str()));
  lab.folder = folder;
  lab.checks = *checks;
  if (const yaml::Node* variants = root->find("variant"))
    lab.variants = *variants;
  for (const yaml::Node& name : files->items())
    lab.files.push_back(name.scalar());
  for (const yaml::Node& hint : hints->items())
    lab.hints.push_back(hint.scalar());
  for (const yaml::Node& check : checks->items())
    lab.points += static_cast<unsigned>(std::atoi(check.find("points")->scalar().c_str()));
  return lab;
}

}  // namespace

std::vector<Lab> find_labs(Diagnostics& diagnostics) {
  std::vector<Lab> labs;
  std::error_code status;
  for (const auto& entry : fs::directory_iterator(data_directory() / "docs" / "labs", status)) {
    if (!fs::exists(entry.path() / "lab.yaml"))
      continue;
    if (auto lab = read_lab(entry.path(), diagnostics))
      labs.push_back(std::move(*lab));
  }
  std::sort(labs.begin(), labs.end(),
            [](const Lab& a, const Lab& b) { return a.number < b.number; });
  return labs;
}

std::optional<Lab> with_variant(Lab lab, std::uint64_t seed, Diagnostics& diagnostics) {
  if (!lab.variants) {
    diagnostics.error(
        without_lines("--variant"),
        fmt::format("lab {} has no key 'variant' that says what may change", lab.number));
    return std::nullopt;
  }
  auto variant = LabVariant::draw(*lab.variants, seed, diagnostics);
  if (!variant)
    return std::nullopt;
  lab.variant = std::move(*variant);
  for (const char* part : {"start", "check", "hint"}) {
    const std::string call = fmt::format("nplab lab {} {}", part, lab.number);
    lab.variant.replace(call, fmt::format("{} --variant {}", call, seed));
  }
  for (std::string& hint : lab.hints)
    hint = lab.variant.applied_to(hint);
  return lab;
}

std::optional<std::string> text_of_file(const Lab& lab, const std::string& name,
                                        Diagnostics& diagnostics) {
  const auto file = read_input_file((lab.folder / name).string(), diagnostics);
  return file ? std::optional(lab.variant.applied_to(file->bytes)) : std::nullopt;
}

nlohmann::ordered_json check_lab(const Lab& lab, const fs::path& folder, const std::string& program,
                                 std::uint64_t seed) {
  Json results = Json::array();
  bool passed = true;
  unsigned points = 0;
  for (const yaml::Node& check : lab.checks.items()) {
    results.push_back(LabCheck(check, lab.variant, folder, program, seed).run());
    const bool is_passed = results.back().at("passed").get<bool>();
    passed = passed && is_passed;
    points += is_passed ? results.back().at("points").get<unsigned>() : 0;
  }
  Json result{{"schema", "nplab.lab/1"},
              {"lab", lab.number},
              {"title", lab.title},
              {"passed", passed},
              {"points", points},
              {"points_possible", lab.points},
              {"seed", seed}};
  if (const auto variant = lab.variant.seed())
    result["variant"] = *variant;
  result["checks"] = results;
  return result;
}

}  // namespace nplab::experiments
