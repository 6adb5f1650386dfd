#include "tools/output/output_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>

#include "support/unfinished_file.h"

namespace nplab::tools {

void write_output_file(const std::string& path, std::string_view contents,
                       Diagnostics& diagnostics) {
  if (path == "-") {
    std::cout << contents << std::flush;  // the end of the command looks whether it was written
    return;
  }
  UnfinishedFile file(path);
  file.stream() << contents;
  file.commit(diagnostics);
}

void check_output_file(const std::string& path, Diagnostics& diagnostics) {
  if (!path.empty() && path != "-")
    check_writable(path, diagnostics);
}

bool is_output_written() {
  errno = 0;
  if (std::cout.flush())
    return true;
  if (errno == 0) {  // it was lost before; one more byte says why
    std::cout.clear();
    std::cout.put('\n').flush();
  }
  std::cerr << "nplab: error: cannot write standard output"
            << (errno != 0 ? std::string(": ") + std::strerror(errno) : "") << '\n';
  return false;
}

}  // namespace nplab::tools
