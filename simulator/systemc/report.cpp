#include "simulator/systemc/report.h"

#include <fmt/format.h>

namespace nplab::systemc {
namespace {

constexpr const char* kTransaction = "/nplab/transaction";
constexpr const char* kQuantum = "/nplab/quantum";

}  // namespace

std::string transaction_text(const tlm::tlm_generic_payload& transaction) {
  const char* command = transaction.is_read()    ? "read"
                        : transaction.is_write() ? "write"
                                                 : "ignore";
  return fmt::format("{} of {} bytes at {:#x}", command, transaction.get_data_length(),
                     transaction.get_address());
}

void warn(const std::string& socket, const std::string& message) {
  SC_REPORT_WARNING(kTransaction, fmt::format("{}: {}", socket, message).c_str());
}

void inform(const std::string& socket, const std::string& message) {
  SC_REPORT_INFO(kQuantum, fmt::format("{}: {}", socket, message).c_str());
}

void refuse(tlm::tlm_generic_payload& transaction, tlm::tlm_response_status status,
            const std::string& socket, const std::string& reason) {
  transaction.set_response_status(status);
  warn(socket, fmt::format("{} is refused ({}): {}", transaction_text(transaction),
                           transaction.get_response_string(), reason));
}

bool check_words(tlm::tlm_generic_payload& transaction, const std::string& socket) {
  const unsigned length = transaction.get_data_length();
  if (transaction.get_byte_enable_ptr() != nullptr) {
    refuse(transaction, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, socket, "no byte enables are taken");
    return false;
  }
  if (transaction.get_streaming_width() < length) {
    refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, socket,
           fmt::format("streaming is not taken; the streaming width must be {} or more, and is {}",
                       length, transaction.get_streaming_width()));
    return false;
  }
  if (length == 0 || length % kWordBytes != 0 || transaction.get_data_ptr() == nullptr) {
    refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, socket,
           "the data are words of 4 bytes, one at least");
    return false;
  }
  if (transaction.get_address() % kWordBytes != 0) {
    refuse(transaction, tlm::TLM_ADDRESS_ERROR_RESPONSE, socket,
           "the address must be a multiple of 4");
    return false;
  }
  return true;
}

}  // namespace nplab::systemc
