#include "oracle/extenders/http.hpp"

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace touchstone::oracle {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Quantity k_default_timeout_ns = 5'000'000'000;

/// The scheme and host of a URL, and its path without slashes at the end.
struct Url {
  std::string host;
  std::string path;
};

Url split(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::size_t slash = url.find('/', scheme == std::string::npos ? 0 : scheme + 3);
  Url parts{url.substr(0, slash), slash == std::string::npos ? "" : url.substr(slash)};
  while (parts.path.ends_with('/')) parts.path.pop_back();
  return parts;
}

/// Whether a scheme and a host are those of HTTP.
bool is_http(const std::string& host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (host.starts_with(scheme) && host.size() > scheme.size()) return true;
  }
  return false;
}

/// Stops a client when its time is over.
class Deadline {
 public:
  Deadline(httplib::Client& client, Clock::time_point end)
      : client_(client), watch_([this, end] { wait(end); }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    watch_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  void wait(Clock::time_point end) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_until(lock, end, [this] { return done_; })) {
      client_.stop();
      end = Clock::now() + std::chrono::milliseconds(10);  // until the call has noticed it
    }
  }

  httplib::Client& client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread watch_;
};

/// Why there is no answer. The library's own text for a certificate differs from version to version.
std::string words_of(httplib::Error error) {
  return error == httplib::Error::SSLServerVerification ? "its certificate is not trusted"
                                                        : httplib::to_string(error);
}

/// Sets how the connection is secured. Errors: not-supported.
std::optional<Error> secure(httplib::Client& client, const Extender& extender) {
  const ExtenderTls tls = extender.tls.value_or(ExtenderTls{});
  if (!tls.cert_data.empty() || !tls.key_data.empty() || !tls.ca_data.empty() || !tls.server_name.empty())
    return Error{
        "not-supported", "tlsConfig",
        "certData, keyData, caData and serverName are not supported; certFile, keyFile and caFile are"};
  // An extender with enableHTTPS and without a CA is not verified.
  const bool is_unverified = tls.insecure || (extender.enable_https && tls.ca_file.empty());
  client.enable_server_certificate_verification(!is_unverified);
  if (!tls.ca_file.empty()) client.set_ca_cert_path(tls.ca_file);
  return std::nullopt;
}

httplib::Client client_for(const Extender& extender, const std::string& host) {
  if (extender.tls && !extender.tls->cert_file.empty())
    return httplib::Client(host, extender.tls->cert_file, extender.tls->key_file);
  return httplib::Client(host);
}

std::string seconds_of(Quantity nanoseconds) { return std::to_string(nanoseconds / 1'000'000) + " ms"; }

}  // namespace

Result<std::string> ask_over_http(const Extender& extender, const std::string& verb,
                                  const std::string& request) {
  const Quantity timeout = extender.http_timeout_ns == 0 ? k_default_timeout_ns : extender.http_timeout_ns;
  const Clock::time_point end = Clock::now() + std::chrono::nanoseconds(timeout);
  const Url url = split(extender.url_prefix);
  if (!is_http(url.host))
    return Error{"extender-unreachable", verb,
                 "expected a URL such as http://127.0.0.1:8888, found \"" + extender.url_prefix + "\""};
  httplib::Client client = client_for(extender, url.host);
  if (const std::optional<Error> wrong = secure(client, extender)) return *wrong;
  client.set_follow_location(false);
  client.set_keep_alive(false);
  client.set_connection_timeout(std::chrono::nanoseconds(timeout));
  client.set_read_timeout(std::chrono::nanoseconds(timeout));
  client.set_write_timeout(std::chrono::nanoseconds(timeout));

  std::string body;
  bool is_too_large = false;
  httplib::Request call;
  call.method = "POST";
  call.path = url.path + "/" + verb;
  call.headers.emplace("Content-Type", "application/json");
  call.body = request;
  call.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    is_too_large = body.size() + size > k_largest_answer;
    if (is_too_large || Clock::now() > end) return false;
    body.append(data, size);
    return true;
  };
  const httplib::Result result = [&] {
    const Deadline deadline(client, end);
    return client.send(call);
  }();
  if (is_too_large)
    return Error{"extender-too-large", verb,
                 "the answer has more than " + std::to_string(k_largest_answer >> 20U) + " MiB"};
  if (!result && Clock::now() >= end)
    return Error{"extender-timeout", verb, "no whole answer within " + seconds_of(timeout)};
  if (!result) return Error{"extender-unreachable", verb, "no answer: " + words_of(result.error())};
  if (result->status != 200)
    return Error{"extender-status", verb,
                 "expected the HTTP status 200, found " + std::to_string(result->status)};
  return body;
}

}  // namespace touchstone::oracle
