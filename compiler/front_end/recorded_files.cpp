#include "compiler/front_end/recorded_files.h"

#include "llvm/Support/MemoryBuffer.h"
#include "support/sha256.h"

namespace nplab::compiler {
namespace {

class RecordedFile : public llvm::vfs::File {
 public:
  RecordedFile(llvm::vfs::Status status, llvm::StringRef text)
      : status_(std::move(status)), text_(text) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t,
                                                               bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_, name);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  llvm::StringRef text_;
};

std::string_view view_of(const llvm::MemoryBuffer& buffer) {
  return {buffer.getBufferStart(), buffer.getBufferSize()};
}

}  // namespace

RecordedFiles::Known RecordedFiles::read(const std::string& path) {
  Known known{ProxyFileSystem::status(path), nullptr, SourceInput::kUnstable};
  if (!known.status) {
    const std::error_code absent = make_error_code(std::errc::no_such_file_or_directory);
    const bool is_absent =
        known.status.getError() == absent || known.status.getError() == std::errc::not_a_directory;
    known.content = is_absent ? SourceInput::kAbsent : SourceInput::kUnstable;
  } else if (known.status->isDirectory()) {
    known.content = SourceInput::kFolder;
  } else if (known.status->isRegularFile()) {
    if (auto file = ProxyFileSystem::openFileForRead(path))
      if (auto text = (*file)->getBuffer(path, -1, /*RequiresNullTerminator=*/true,
                                         /*IsVolatile=*/true)) {
        known.text = std::move(*text);
        known.status =
            llvm::vfs::Status::copyWithNewSize(*known.status, known.text->getBufferSize());
        if (!names_the_time(view_of(*known.text)))
          known.content = sha256_hex(view_of(*known.text));
      }
  }
  return known;
}

RecordedFiles::Known& RecordedFiles::look_up(const llvm::Twine& path) {
  llvm::SmallString<128> absolute;
  path.toVector(absolute);
  (void)makeAbsolute(absolute);
  const std::string name = absolute.str().str();
  const auto found = known_.find(name);
  return found != known_.end() ? found->second : known_.emplace(name, read(name)).first->second;
}

llvm::ErrorOr<llvm::vfs::Status> RecordedFiles::status(const llvm::Twine& path) {
  const Known& known = look_up(path);
  if (!known.status)
    return known.status;
  return llvm::vfs::Status::copyWithNewName(*known.status, path);
}

bool RecordedFiles::exists(const llvm::Twine& path) {
  return static_cast<bool>(look_up(path).status);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> RecordedFiles::openFileForRead(
    const llvm::Twine& path) {
  const Known& known = look_up(path);
  if (!known.text)
    return ProxyFileSystem::openFileForRead(path);
  return std::make_unique<RecordedFile>(llvm::vfs::Status::copyWithNewName(*known.status, path),
                                        known.text->getBuffer());
}

std::vector<SourceInput> RecordedFiles::inputs() const {
  std::vector<SourceInput> inputs;
  for (const auto& [path, known] : known_)
    inputs.push_back({path, known.content});
  return inputs;
}

}  // namespace nplab::compiler
