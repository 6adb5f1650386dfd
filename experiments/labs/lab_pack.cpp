#include "experiments/labs/lab_pack.h"

#include <fmt/format.h>
#include <zip.h>

namespace nplab::experiments {
namespace {

struct PackedFile {
  std::string name;  // in the archive
  std::string text;
};

constexpr const char* kFolder = "nplab-labs/";

std::string page_of(const std::vector<Lab>& labs) {
  std::string text = "# Labs\n\n| lab | title | minutes | points |\n|---|---|---|---|\n";
  for (const Lab& lab : labs) {
    const std::string folder = lab.folder.filename().string();
    text += fmt::format("| [{}]({}/README.md) | {} | {} | {} |\n", lab.number, folder, lab.title,
                        lab.minutes, lab.points);
  }
  const auto variant = labs.empty() ? std::nullopt : labs.front().variant.seed();
  const std::string option = variant ? fmt::format(" --variant {}", *variant) : "";
  text += fmt::format(
      "\nEach folder has the task, README.md, and the files that you begin with. In a lab's "
      "folder, with its number:\n\n```\nnplab lab check {0} .{1}\nnplab lab hint {0}{1}\n```\n",
      labs.empty() ? 1 : labs.front().number, option);
  if (variant)
    text += fmt::format(
        "\nThese are the tasks of variant {}: your figures are not those of other students.\n",
        *variant);
  return text;
}

std::vector<PackedFile> files_of(const std::vector<Lab>& labs, Diagnostics& diagnostics) {
  std::vector<PackedFile> files{{std::string(kFolder) + "README.md", page_of(labs)}};
  for (const Lab& lab : labs) {
    std::vector<std::string> names{"README.md"};
    names.insert(names.end(), lab.files.begin(), lab.files.end());
    for (const std::string& name : names)
      if (auto text = text_of_file(lab, name, diagnostics))
        files.push_back({kFolder + (lab.folder.filename() / name).string(), std::move(*text)});
  }
  return files;
}

// 1 January 1980, the first day that the format knows: equal labs are equal archives.
constexpr zip_uint16_t kFirstTime = 0;
constexpr zip_uint16_t kFirstDate = 1 << 5 | 1;

// False when the library refuses it; the archive's error says why. `file` must outlive the archive.
bool add(zip_t* archive, const PackedFile& file) {
  zip_source_t* source = zip_source_buffer(archive, file.text.data(), file.text.size(), 0);
  if (source == nullptr)
    return false;
  const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  return zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), kFirstTime, kFirstDate,
                              0) == 0;
}

}  // namespace

void pack_labs(const std::vector<Lab>& labs, const std::string& path, Diagnostics& diagnostics) {
  const std::vector<PackedFile> files = files_of(labs, diagnostics);
  if (diagnostics.has_errors())
    return;
  int status = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &status);
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, status);
    diagnostics.error({path, 0, 0},
                      fmt::format("cannot be written: {}", zip_error_strerror(&error)));
    zip_error_fini(&error);
    return;
  }
  bool is_complete = true;
  for (const PackedFile& file : files)
    is_complete = is_complete && add(archive, file);
  // The library writes a temporary file and renames it.
  if (is_complete && zip_close(archive) == 0)
    return;
  diagnostics.error({path, 0, 0}, fmt::format("cannot be written: {}", zip_strerror(archive)));
  zip_discard(archive);
}

}  // namespace nplab::experiments
