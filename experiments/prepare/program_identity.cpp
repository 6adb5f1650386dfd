#include "experiments/prepare/program_identity.h"

#include <fstream>
#include <iterator>

#include "experiments/commit.gen.h"
#include "experiments/version.gen.h"
#include "support/loaded_object.h"
#include "support/sha256.h"

namespace nplab::experiments {
namespace {

std::string build_id() {
  const LoadedObject own = loaded_object_at(reinterpret_cast<const void*>(&program_identity));
  if (!own.build_id.empty())
    return own.build_id;
  std::ifstream file(own.file.empty() ? "/proc/self/exe" : own.file, std::ios::binary);
  return sha256_hex(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace

const ProgramIdentity& program_identity() {
  static const ProgramIdentity identity{kVersion, kCommit, build_id()};
  return identity;
}

}  // namespace nplab::experiments
