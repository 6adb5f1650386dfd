#include "experiments/run/result_store.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "reports/analysis/invariants.h"
#include "support/input_file.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".json.gz";
constexpr int kGzip = 15 + 16;  // zlib's largest window, and the format of gzip around it
constexpr std::size_t kBlock = std::size_t{1} << 16;

std::string name_in_header(const std::string& key) {
  return key + ".json";
}

std::string compressed(const std::string& text, const std::string& name) {
  z_stream stream{};
  gz_header header{};
  header.name = reinterpret_cast<Bytef*>(const_cast<char*>(name.c_str()));
  header.os = 3;  // Unix, whatever this is: equal records give equal files
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
          Z_OK ||
      deflateSetHeader(&stream, &header) != Z_OK)
    throw std::bad_alloc();  // the only failure with these parameters
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

struct Unpacked {
  std::string text;
  std::string name;  // in the header
};

// Nothing when it is not a complete gzip file with a right checksum.
std::optional<Unpacked> unpacked(const std::string& bytes) {
  z_stream stream{};
  std::array<Bytef, 256> name{};
  gz_header header{};
  header.name = name.data();
  header.name_max = name.size() - 1;
  if (inflateInit2(&stream, kGzip) != Z_OK || inflateGetHeader(&stream, &header) != Z_OK)
    throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  Unpacked result;
  std::string block(kBlock, '\0');
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    result.text.append(block, 0, block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END)
    return std::nullopt;
  result.name = reinterpret_cast<const char*>(name.data());
  return result;
}

std::string first_line(const Diagnostics& found) {
  return found.errors().empty() ? "" : found.errors().front().message;
}

StoredResult result_at(const fs::path& path, const std::string& key) {
  StoredResult result{key, path.string(), 0, std::nullopt, ""};
  Diagnostics unreadable;
  const auto file = read_input_file(result.path, unreadable);
  if (!file) {
    result.problem = first_line(unreadable);
    return result;
  }
  result.bytes = file->bytes.size();
  const auto content = unpacked(file->bytes);
  if (!content) {
    result.problem = "is not a complete gzip file";
    return result;
  }
  if (content->name != name_in_header(key)) {
    result.problem = "holds the result '" + content->name + "'; was the file renamed?";
    return result;
  }
  Diagnostics wrong;
  auto record = reports::from_json(content->text, result.path, wrong);
  if (!record) {
    result.problem = first_line(wrong);
    return result;
  }
  if (!record->failure) {
    const auto broken = reports::check_invariants(*record);
    if (!broken.empty()) {
      result.problem = broken.front();
      return result;
    }
  }
  result.record = std::move(record);
  return result;
}

fs::path path_of(const std::string& folder, const std::string& key) {
  return fs::path(folder) / (key + kSuffix);
}

}  // namespace

std::optional<ResultStore> ResultStore::open(const std::string& folder, Diagnostics& diagnostics) {
  std::error_code status;
  fs::create_directories(folder, status);
  if (status || !fs::is_directory(folder)) {
    diagnostics.error(without_lines("--store " + folder),
                      "the folder cannot be made: " +
                          (status ? status.message() : std::string("a file has this name")));
    return std::nullopt;
  }
  return ResultStore(folder);
}

std::optional<reports::RunRecord> ResultStore::find(const std::string& key,
                                                    Diagnostics& diagnostics) const {
  const fs::path path = path_of(folder_, key);
  std::error_code status;
  if (!fs::exists(path, status))
    return std::nullopt;
  StoredResult result = result_at(path, key);
  if (!result.record)
    diagnostics.warning({result.path, 0, 0}, result.problem + "; the run is made again");
  return std::move(result.record);
}

void ResultStore::keep(const std::string& key, const reports::RunRecord& record,
                       Diagnostics& diagnostics) const {
  UnfinishedFile file(path_of(folder_, key).string());
  file.stream() << compressed(reports::to_json(record, reports::JsonLayout::kCompact),
                              name_in_header(key));
  file.commit(diagnostics);
}

std::vector<StoredResult> ResultStore::results() const {
  std::vector<StoredResult> results;
  std::error_code status;
  for (const auto& entry : fs::directory_iterator(folder_, status)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kSuffix))
      results.push_back(
          result_at(entry.path(), name.substr(0, name.size() - std::string(kSuffix).size())));
  }
  std::sort(results.begin(), results.end(),
            [](const StoredResult& a, const StoredResult& b) { return a.key < b.key; });
  return results;
}

std::vector<std::string> ResultStore::leftovers() const {
  std::vector<std::string> paths;
  std::error_code status;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : fs::directory_iterator(folder_, status)) {
    const std::string name = entry.path().filename().string();
    if (name.find(std::string(kSuffix) + ".") != name.npos && name.ends_with(".unfinished") &&
        entry.last_write_time(status) < old)
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace nplab::experiments
