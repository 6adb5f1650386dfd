// The address of a page that only its user opens: at a port of this machine, with a secret in the
// path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nplab::tools {

class PageAddress {
 public:
  // With a secret of 128 random bits.
  explicit PageAddress(std::uint16_t port);

  // "http://127.0.0.1:4000/1f.../"
  [[nodiscard]] std::string text() const;
  // Whether a request of this Host header means this machine by its name. A page of another name
  // that was made to lead here (DNS rebinding) says that name.
  [[nodiscard]] bool is_host(std::string_view host) const;
  // Whether an Origin header is that of this page.
  [[nodiscard]] bool is_origin(std::string_view origin) const;
  // What follows the secret in the target of a request, as "view.css"; nothing: the secret is
  // missing or another one.
  [[nodiscard]] std::optional<std::string> file_of(std::string_view target) const;

 private:
  std::uint16_t port_;
  std::string secret_;
};

}  // namespace nplab::tools
