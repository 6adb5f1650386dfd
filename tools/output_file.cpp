#include "tools/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace nplab::tools {
namespace fs = std::filesystem;

void write_output_file(const std::string& path, std::string_view contents, Diagnostics& diagnostics) {
  if (path == "-") {
    std::cout << contents << std::flush;
    return;
  }
  const fs::path temporary = path + ".new-" + std::to_string(::getpid());
  std::error_code status;
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream << contents;
    stream.flush();
    if (!stream) {
      diagnostics.error({path, 0, 0}, std::string("cannot be written: ") + std::strerror(errno));
      fs::remove(temporary, status);
      return;
    }
  }
  fs::rename(temporary, path, status);
  if (status) {
    diagnostics.error({path, 0, 0}, "cannot be written: " + status.message());
    fs::remove(temporary, status);
  }
}

void check_output_file(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty() || path == "-") return;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    diagnostics.error({path, 0, 0}, "cannot be written: there is no folder '" + folder.string() + "'");
  } else if (fs::is_directory(path)) {
    diagnostics.error({path, 0, 0}, "cannot be written: it is a folder; name a file");
  } else if (::access(folder.c_str(), W_OK) != 0) {
    diagnostics.error({path, 0, 0}, std::string("cannot be written: ") + std::strerror(errno));
  }
}

}  // namespace nplab::tools
