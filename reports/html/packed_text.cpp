#include "reports/html/packed_text.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <stdexcept>
#include <vector>

namespace nplab::reports::html {
namespace {

std::vector<unsigned char> compressed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::vector<unsigned char> bytes(size);
  if (compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();  // the only failure with a buffer of this size
  bytes.resize(size);
  return bytes;
}

std::string base64(const std::vector<unsigned char>& bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and a zero, which OpenSSL appends
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace

std::string packed_element(const char* name, std::string_view text, Packed kind) {
  return fmt::format("<script type=\"text/plain\" class=\"{}\" data-packed=\"{}\">{}</script>\n",
                     name, kind == Packed::kData ? "data" : "script", base64(compressed(text)));
}

}  // namespace nplab::reports::html
