#include "tools/output/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>

#include "support/input_file.h"
#include "support/unfinished_file.h"

namespace nplab::tools {

namespace {

bool refuse_input(const std::string& path, Diagnostics& diagnostics) {
  if (!was_read(path))
    return false;
  diagnostics.error(without_lines(path),
                    "is an input of this command and is not overwritten; name another output file");
  return true;
}

}  // namespace

void write_output_file(const std::string& path, std::string_view contents, Diagnostics& diagnostics,
                       Replaces replaces) {
  if (path == "-") {
    std::cout << contents << std::flush;  // the end of the command looks whether it was written
    return;
  }
  if (replaces == Replaces::kNoInput && refuse_input(path, diagnostics))
    return;
  UnfinishedFile file(path);
  file.stream() << contents;
  file.commit(diagnostics);
}

void check_output_file(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty() || path == "-")
    return;
  if (refuse_input(path, diagnostics))
    return;
  static std::set<std::filesystem::path> outputs;
  std::error_code status;
  const auto place = std::filesystem::weakly_canonical(path, status);
  const bool is_device =
      std::filesystem::exists(place, status) && !std::filesystem::is_regular_file(place, status);
  if (!is_device && !outputs.insert(place).second) {
    diagnostics.error(without_lines(path), "is given for two outputs; name a file for each");
    return;
  }
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
