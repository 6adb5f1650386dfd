// A file while it is written. It appears whole, with commit, or not at all: until then it has no
// name where the file system can do that, so that an interrupt leaves nothing behind, and otherwise
// one beside its place.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "support/diagnostics.h"

namespace nplab {

class UnfinishedFile {
 public:
  // What stands at `path` is replaced at commit; of a link, the file that it leads to. A device or
  // a pipe is no file: it takes what is written as it comes.
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  // Whatever went wrong since the start (a folder missing, a full disk) is reported here, and is
  // false.
  bool commit(Diagnostics& diagnostics);

 private:
  void open();
  bool put_in_place();

  std::string path_;  // as the user named it
  std::filesystem::path place_;
  std::filesystem::path unfinished_;  // the name beside the place; of a device or a pipe none
  int nameless_ = -1;                 // the file as long as it has no name
  int open_problem_ = 0;              // errno
  std::ofstream stream_;
};

// Reports, before long work starts, when a file could not be written there.
void check_writable(const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab
