#include "support/input_file.h"

#include <lzma.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support/sha256.h"

namespace nplab {
namespace {

constexpr std::string_view kXzMagic{
    "\xFD"
    "7zXZ\0",
    6};

std::optional<std::string> unpack_xz(const std::string& packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    return std::nullopt;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string unpacked;
  std::string block(1 << 16, '\0');
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(block.data());
    stream.avail_out = block.size();
    status = lzma_code(&stream, LZMA_FINISH);
    unpacked.append(block, 0, block.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (status != LZMA_STREAM_END)
    return std::nullopt;
  return unpacked;
}

// A regular file, whatever its names.
using FileIdentity = std::pair<dev_t, ino_t>;

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

std::set<FileIdentity>& files_read() {
  static std::set<FileIdentity> files;
  return files;
}

}  // namespace

bool was_read(const std::string& path) {
  const auto identity = identity_of(path);
  return identity && files_read().contains(*identity);
}

std::optional<InputFile> read_input_file(const std::string& path, Diagnostics& diagnostics) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    diagnostics.error({path, 0, 0}, "is a directory, not a file");
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    diagnostics.error({path, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
    return std::nullopt;
  }
  if (const auto identity = identity_of(path))
    files_read().insert(*identity);
  std::ostringstream contents;
  contents << stream.rdbuf();
  InputFile file{path, std::move(contents).str(), ""};
  file.sha256 = sha256_hex(file.bytes);
  if (std::string_view(file.bytes).starts_with(kXzMagic)) {
    auto unpacked = unpack_xz(file.bytes);
    if (!unpacked) {
      diagnostics.error({path, 0, 0}, "is a damaged or truncated .xz file");
      return std::nullopt;
    }
    file.bytes = std::move(*unpacked);
  }
  return file;
}

}  // namespace nplab
