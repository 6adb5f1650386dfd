// Serves the page to a browser of this machine, and connects its WebSocket with a session of the
// debugger: a text message is one message of the Debug Adapter Protocol.
#pragma once

#include <chrono>
#include <functional>

#include "support/file_descriptor.h"
#include "tools/view/page_address.h"

namespace nplab::tools {

enum class PageEnd {
  kStopped,       // by a signal
  kPageClosed,    // and no page has come back
  kSessionEnded,  // the page asked for it, or its process is gone
};

// How long the run waits for the page after it was closed; a reload takes less.
inline constexpr std::chrono::seconds kWaitForPage{3};

// Takes one page at a time; further ones are told so. Returns when there is nothing more to serve.
// `ready` is called when pages are served and signals end it.
PageEnd serve_page(FileDescriptor listener, FileDescriptor session, const PageAddress& address,
                   const std::function<void()>& ready);

}  // namespace nplab::tools
