#include "support/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace nplab {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string text;
  for (unsigned i = 0; i < length; ++i)
    text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace nplab
