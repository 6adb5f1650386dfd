#include "support/input_file.h"
#include "support/process.h"
#include "tests/paths.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using nplab::Diagnostics;
using nplab::read_input_file;

namespace {

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = nplab::binary_path() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace

TEST_CASE("a file is read completely and named by the SHA-256 of its bytes") {
  Diagnostics diagnostics;
  const auto file = read_input_file(written("input.txt", "abc"), diagnostics);
  REQUIRE(file);
  CHECK(file->bytes == "abc");
  CHECK(
      file->sha256 ==
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4's example
}

TEST_CASE("a compressed file is unpacked by its content, whatever its name") {
  const std::string path = written("packed", "some text\n");
  Diagnostics diagnostics;
  REQUIRE(nplab::run_successfully({.command = {"xz", "-kf", "-S", ".bin", path}}, diagnostics));
  const auto file = read_input_file(path + ".bin", diagnostics);
  REQUIRE(file);
  CHECK(file->bytes == "some text\n");
}

TEST_CASE("a damaged compressed file, a missing file and a folder are reported by name") {
  Diagnostics diagnostics;
  const std::string damaged = written("damaged.xz", std::string("\xFD"
                                                                "7zXZ\0 nonsense",
                                                                15));
  CHECK_FALSE(read_input_file(damaged, diagnostics));
  CHECK_FALSE(read_input_file("/nowhere/at.all", diagnostics));
  CHECK_FALSE(read_input_file(nplab::binary_path(), diagnostics));
  REQUIRE(diagnostics.errors().size() == 3);
  CHECK(diagnostics.errors()[0].message == "is a damaged or truncated .xz file");
  CHECK(diagnostics.errors()[1].message == "cannot be read: No such file or directory");
  CHECK(diagnostics.errors()[2].message == "is a directory, not a file");
}
