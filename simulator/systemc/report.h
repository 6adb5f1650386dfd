// Reports of the chip's sockets: one line that names the socket, and the transaction.
#pragma once

#include <string>

#include <systemc>
#include <tlm>

namespace nplab::systemc {

inline constexpr unsigned kWordBytes = 4;

// `write of 64 bytes at 0x10`.
std::string transaction_text(const tlm::tlm_generic_payload& transaction);

// What a transaction must be, at least, at each of the chip's sockets: aligned words without byte
// enables and streaming. Sets the response status that the standard has for what is wrong, reports
// it, and returns false.
bool check_words(tlm::tlm_generic_payload& transaction, const std::string& socket);

// Sets a response status and reports why, as a warning: a simulation goes on after a transaction
// that was refused.
void refuse(tlm::tlm_generic_payload& transaction, tlm::tlm_response_status status,
            const std::string& socket, const std::string& reason);

void warn(const std::string& socket, const std::string& message);
void inform(const std::string& socket, const std::string& message);

}  // namespace nplab::systemc
