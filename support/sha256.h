// SHA-256 of a byte string (by OpenSSL), for naming inputs in the run record.
#pragma once

#include <string>
#include <string_view>

namespace nplab {

std::string sha256_hex(std::string_view bytes);

}  // namespace nplab
