#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

/// A server that does not have to speak HTTP.
namespace touchstone::tests {

/// A server that does what a function says with each connection: it gets the socket, and a flag that is set
/// when the test ends.
class RawServer {
 public:
  using Behaviour = std::function<void(int socket, const std::atomic<bool>& done)>;

  explicit RawServer(Behaviour behaviour)
      : listening_(::socket(AF_INET, SOCK_STREAM, 0)), behaviour_(std::move(behaviour)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listening_, any, size), 0);
    EXPECT_EQ(::listen(listening_, 1), 0);
    EXPECT_EQ(::getsockname(listening_, any, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] {
      const int socket = ::accept(listening_, nullptr, nullptr);
      if (socket < 0) return;
      behaviour_(socket, done_);
      ::close(socket);
    });
  }
  ~RawServer() {
    done_ = true;
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  int port() const { return port_; }

 private:
  int listening_;
  int port_ = 0;
  Behaviour behaviour_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

inline void send_text(int socket, const std::string& text) {
  [[maybe_unused]] const auto sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
}

inline void read_some(int socket) {
  std::array<char, 4096> buffer{};
  [[maybe_unused]] const auto got = ::recv(socket, buffer.data(), buffer.size(), 0);
}

/// Sends a piece again and again, until the client is gone or the test ends.
inline void send_for_ever(int socket, const std::string& piece, std::chrono::milliseconds pause,
                          const std::atomic<bool>& done) {
  while (!done && ::send(socket, piece.data(), piece.size(), MSG_NOSIGNAL) > 0)
    std::this_thread::sleep_for(pause);
}

/// Reads a whole HTTP request. A server that closes with a part unread may lose what it has sent.
inline void read_request(int socket) {
  std::string request;
  std::array<char, 4096> buffer{};
  std::size_t size = std::string::npos;
  while (request.size() < size) {
    const auto got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) return;
    request.append(buffer.data(), static_cast<std::size_t>(got));
    const std::size_t end = request.find("\r\n\r\n");
    const std::size_t length = request.find("Content-Length: ");
    if (end != std::string::npos && length < end)
      size = end + 4 + std::stoul(request.substr(length + std::string("Content-Length: ").size()));
  }
}

}  // namespace touchstone::tests
