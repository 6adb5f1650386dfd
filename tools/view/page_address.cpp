#include "tools/view/page_address.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <stdexcept>

namespace nplab::tools {
namespace {

std::string random_text() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("the system gives no random numbers");
  std::string text;
  for (const unsigned char byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

PageAddress::PageAddress(std::uint16_t port) : port_(port), secret_(random_text()) {}

std::string PageAddress::text() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, secret_);
}

bool PageAddress::is_host(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

bool PageAddress::is_origin(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && is_host(origin.substr(kScheme.size()));
}

std::optional<std::string> PageAddress::file_of(std::string_view target) const {
  const std::size_t size = secret_.size() + 2;
  if (target.size() < size || target.front() != '/' || target[size - 1] != '/' ||
      CRYPTO_memcmp(target.data() + 1, secret_.data(), secret_.size()) != 0)
    return std::nullopt;
  return std::string(target.substr(size));
}

}  // namespace nplab::tools
