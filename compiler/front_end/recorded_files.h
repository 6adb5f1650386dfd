// The files of the system as Clang sees them, with a record of what it asked for.
#pragma once

#include <map>

#include "compiler/front_end/source_inputs.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace nplab::compiler {

// Each file is read once, so that the record is of the very text that was compiled.
class RecordedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  explicit RecordedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files)
      : ProxyFileSystem(std::move(files)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  [[nodiscard]] std::vector<SourceInput> inputs() const;

 private:
  struct Known {
    llvm::ErrorOr<llvm::vfs::Status> status;
    std::unique_ptr<llvm::MemoryBuffer> text;  // of a regular file
    std::string content;                       // as in SourceInput
  };
  Known& look_up(const llvm::Twine& path);
  Known read(const std::string& path);

  std::map<std::string, Known> known_;  // by absolute path
};

}  // namespace nplab::compiler
