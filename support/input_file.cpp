#include "support/input_file.h"

#include <lzma.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <set>

#include "support/file_memo.h"
#include "support/sha256.h"

namespace nplab {
namespace {

constexpr std::string_view kXzMagic{
    "\xFD"
    "7zXZ\0",
    6};

// Of a file, unpacked: it is held in memory.
constexpr std::size_t kMostBytes = std::size_t{1} << 31;
constexpr const char* kTooLarge = "holds more than 2 GiB";
constexpr const char* kNoMemory = "does not fit into the memory that this process may use";

// False when there is more than that.
bool read_all(std::istream& stream, std::string& bytes) {
  std::string block(1 << 20, '\0');
  while (bytes.size() <= kMostBytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    bytes.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (!stream)
      return true;
  }
  return false;
}

std::optional<std::string> unpack_xz(const std::string& packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    return std::nullopt;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string unpacked;
  std::string block(1 << 16, '\0');
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && unpacked.size() <= kMostBytes) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(block.data());
    stream.avail_out = block.size();
    status = lzma_code(&stream, LZMA_FINISH);
    unpacked.append(block, 0, block.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (status != LZMA_STREAM_END && unpacked.size() <= kMostBytes)
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

namespace {

std::optional<InputFile> read_file(const std::string& path, Diagnostics& diagnostics) {
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
  InputFile file{path, "", ""};
  if (!read_all(stream, file.bytes)) {
    diagnostics.error({path, 0, 0}, kTooLarge);
    return std::nullopt;
  }
  file.sha256 = sha256_hex(file.bytes);
  if (std::string_view(file.bytes).starts_with(kXzMagic)) {
    auto unpacked = unpack_xz(file.bytes);
    if (!unpacked) {
      diagnostics.error({path, 0, 0}, "is a damaged or truncated .xz file");
      return std::nullopt;
    }
    if (unpacked->size() > kMostBytes) {
      diagnostics.error({path, 0, 0}, kTooLarge);
      return std::nullopt;
    }
    file.bytes = std::move(*unpacked);
  }
  return file;
}

}  // namespace

std::optional<InputFile> read_input_file(const std::string& path, Diagnostics& diagnostics) {
  try {
    return read_file(path, diagnostics);
  } catch (const std::bad_alloc&) {
    diagnostics.error({path, 0, 0}, kNoMemory);
    return std::nullopt;
  }
}

std::optional<std::string> digest_of_file(const std::string& path, Diagnostics& diagnostics) {
  static FileMemo<std::string> digests;
  return digests.get(path, [&]() -> std::optional<std::string> {
    auto file = read_input_file(path, diagnostics);
    return file ? std::optional(std::move(file->sha256)) : std::nullopt;
  });
}

}  // namespace nplab
