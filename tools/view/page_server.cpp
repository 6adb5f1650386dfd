#include "tools/view/page_server.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <memory>
#include <string>

#include "tools/view/page_files.h"

namespace nplab::tools {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::use_awaitable;
using boost::system::system_error;
using Tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;
using Socket = websocket::stream<beast::tcp_stream>;
using Work = asio::awaitable<void>;

constexpr std::uint32_t kLongestHeader = 16u << 10;  // bytes
constexpr std::size_t kLongestMessage = 1u << 20;    // bytes, of the page
constexpr std::chrono::seconds kLongestRequest{10};  // from its first byte to its last
constexpr std::uint16_t kAnotherPage = 4000;         // close code: the page says so to its user
constexpr const char* kSocketName = "session";

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

websocket::close_reason closing(std::uint16_t code, const std::string& why) {
  return {websocket::close_code(code), why};
}

class Server {
 public:
  Server(FileDescriptor&& listener, FileDescriptor&& session, const PageAddress& address)
      : address_(address),
        acceptor_(context_, Tcp::v4(), listener.release()),
        session_(context_, asio::local::stream_protocol(), session.release()),
        absence_(context_),
        signals_(context_, SIGINT, SIGTERM, SIGHUP) {}

  PageEnd run() {
    asio::co_spawn(context_, accept_pages(), asio::detached);
    asio::co_spawn(context_, pass_on_answers(), asio::detached);
    asio::co_spawn(context_, wait_for_signal(), asio::detached);
    context_.run();
    return end_;
  }

 private:
  Work accept_pages() {
    for (;;) {
      auto socket = co_await acceptor_.async_accept(use_awaitable);
      asio::co_spawn(context_, serve(beast::tcp_stream(std::move(socket))), asio::detached);
    }
  }

  // One request for each connection: there are few, and all from this machine.
  Work serve(beast::tcp_stream stream) {
    try {
      beast::flat_buffer buffer;
      http::request_parser<http::empty_body> parser;
      parser.header_limit(kLongestHeader);
      stream.expires_after(kLongestRequest);
      co_await http::async_read(stream, buffer, parser, use_awaitable);
      const Request request = parser.release();
      Response response = answer(request);
      if (response.result() == http::status::switching_protocols)
        co_await connect(std::move(stream), request);
      else
        co_await http::async_write(stream, response, use_awaitable);
    } catch (const system_error&) {
      // Not HTTP, or gone: there is nobody to tell.
    }
  }

  Response answer(const Request& request) const {
    if (!address_.is_host(view_of(request[http::field::host])))
      return text(http::status::forbidden, "This server answers to 127.0.0.1 and localhost only.");
    const auto name = address_.file_of(view_of(request.target()));
    if (!name)
      return text(http::status::forbidden,
                  "The secret of the address is missing or wrong. Open the address that nplab view "
                  "has printed.");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return text(http::status::method_not_allowed, "Only GET and HEAD are served.");
    if (*name == kSocketName)
      return answer_to_socket(request);
    const PageFile* file = page_file(*name);
    if (file == nullptr)
      return text(http::status::not_found, "There is no such file.");
    Response response = text(http::status::ok, file->text);
    response.set(http::field::content_type,
                 beast::string_view(file->type.data(), file->type.size()));
    if (request.method() == http::verb::head)
      response.body().clear();
    return response;
  }

  // Browsers let any page open a WebSocket, but say which page it is.
  [[nodiscard]] Response answer_to_socket(const Request& request) const {
    if (!websocket::is_upgrade(request))
      return text(http::status::upgrade_required, "This is the address of a WebSocket.");
    if (!address_.is_origin(view_of(request[http::field::origin])))
      return text(http::status::forbidden, "Only the page of this server may connect.");
    return text(http::status::switching_protocols, "");
  }

  static Response text(http::status status, std::string_view body) {
    Response response(status, 11);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
                 "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    response.keep_alive(false);
    response.body() = body;
    response.prepare_payload();
    return response;
  }

  // Serves a page as long as it stays.
  Work connect(beast::tcp_stream stream, const Request& request) {
    stream.expires_never();
    const auto page = std::make_shared<Socket>(std::move(stream));
    page->set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    page->read_message_max(kLongestMessage);
    co_await page->async_accept(request, use_awaitable);
    if (page_) {
      co_await page->async_close(closing(kAnotherPage, "another page shows this run"),
                                 use_awaitable);
      co_return;
    }
    page_ = page;
    absence_.cancel();
    try {
      for (;;) {
        beast::flat_buffer buffer;
        co_await page->async_read(buffer, use_awaitable);
        co_await send(beast::buffers_to_string(buffer.data()));
      }
    } catch (const system_error&) {
      // The page is gone, or sent a message that is too long, which Beast has told it.
    }
    // Nobody sees what runs on.
    co_await send(R"({"seq":0,"type":"request","command":"pause"})");
    page_.reset();
    asio::co_spawn(context_, wait_for_page(), asio::detached);
  }

  Work send(const std::string& message) {
    const std::string framed = fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
    co_await asio::async_write(session_, asio::buffer(framed), use_awaitable);
  }

  // A page that is not there misses them: it asks for the state when it comes.
  Work pass_on_answers() {
    std::string received;
    try {
      for (;;) {
        const std::string message = co_await receive(received);
        const auto page = page_;
        if (page) {
          boost::system::error_code gone;
          co_await page->async_write(asio::buffer(message),
                                     asio::redirect_error(use_awaitable, gone));
        }
      }
    } catch (const system_error&) {
      // The process of the session has ended.
    }
    end_ = PageEnd::kSessionEnded;
    co_await leave("the session has ended");
  }

  // `received`: what was read and not used yet.
  asio::awaitable<std::string> receive(std::string& received) {
    constexpr std::string_view kName = "Content-Length: ";
    const std::size_t header = co_await asio::async_read_until(
        session_, asio::dynamic_buffer(received), "\r\n\r\n", use_awaitable);
    std::size_t size = 0;
    std::from_chars(received.data() + kName.size(), received.data() + header, size);
    if (received.size() < header + size)
      co_await asio::async_read(session_, asio::dynamic_buffer(received),
                                asio::transfer_exactly(header + size - received.size()),
                                use_awaitable);
    std::string message = received.substr(header, size);
    received.erase(0, header + size);
    co_return message;
  }

  Work wait_for_page() {
    absence_.expires_after(kWaitForPage);
    boost::system::error_code came_back;
    co_await absence_.async_wait(asio::redirect_error(use_awaitable, came_back));
    if (came_back || page_)
      co_return;
    end_ = PageEnd::kPageClosed;
    context_.stop();
  }

  Work wait_for_signal() {
    co_await signals_.async_wait(use_awaitable);
    signals_.clear();  // a second one ends the process at once
    end_ = PageEnd::kStopped;
    co_await leave("nplab view was stopped");
  }

  Work leave(std::string reason) {
    if (const auto page = page_) {
      boost::system::error_code gone;
      co_await page->async_close(closing(websocket::close_code::going_away, reason),
                                 asio::redirect_error(use_awaitable, gone));
    }
    context_.stop();
  }

  const PageAddress& address_;
  asio::io_context context_{1};
  Tcp::acceptor acceptor_;
  asio::local::stream_protocol::socket session_;
  asio::steady_timer absence_;
  asio::signal_set signals_;
  std::shared_ptr<Socket> page_;  // the one that is served
  PageEnd end_ = PageEnd::kStopped;
};

}  // namespace

PageEnd serve_page(FileDescriptor listener, FileDescriptor session, const PageAddress& address,
                   const std::function<void()>& ready) {
  Server server(std::move(listener), std::move(session), address);
  ready();
  return server.run();
}

}  // namespace nplab::tools
