#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "oracle/extenders/http.hpp"

/// Tests extenders over TLS: a certificate that is not trusted costs one clear error.
namespace touchstone::tests::tls_test {

using namespace oracle;

namespace {

template <typename T, void (*free)(T*)>
struct Freeing {
  void operator()(T* object) const { free(object); }
};
template <typename T, void (*free)(T*)>
using Owned = std::unique_ptr<T, Freeing<T, free>>;

/// A key, and a certificate of a subject, signed by that key, in files that are removed at the end.
class Identity {
 public:
  explicit Identity(const std::string& name, const std::string& subject_alternative)
      : directory_(std::filesystem::temp_directory_path() /
                   ("touchstone-tls-" + name + std::to_string(::getpid()))) {
    std::filesystem::create_directories(directory_);
    const Owned<EVP_PKEY, EVP_PKEY_free> key(EVP_EC_gen("P-256"));
    const Owned<X509, X509_free> certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* const subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    const Owned<X509_EXTENSION, X509_EXTENSION_free> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, subject_alternative.c_str()));
    X509_add_ext(certificate.get(), names.get(), -1);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    write(certificate_file(), [&](BIO* out) { PEM_write_bio_X509(out, certificate.get()); });
    write(key_file(),
          [&](BIO* out) { PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  }
  ~Identity() { std::filesystem::remove_all(directory_); }
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  std::string certificate_file() const { return directory_ / "certificate.pem"; }
  std::string key_file() const { return directory_ / "key.pem"; }

 private:
  template <typename Write>
  static void write(const std::string& file, const Write& write) {
    const Owned<BIO, BIO_free_all> out(BIO_new_file(file.c_str(), "w"));
    write(out.get());
  }

  std::filesystem::path directory_;
};

/// A TLS server that lets node n0 pass.
class SecureServer {
 public:
  explicit SecureServer(const Identity& identity)
      : server_(identity.certificate_file().c_str(), identity.key_file().c_str()) {
    server_.Post("/filter", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(R"({"nodenames":["n0"]})", "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~SecureServer() {
    server_.stop();
    thread_.join();
  }
  SecureServer(const SecureServer&) = delete;
  SecureServer& operator=(const SecureServer&) = delete;

  /// The body of the answer to a client that trusts these certificates, or the text of the error.
  std::string asked_with(const std::string& ca_file) const {
    Extender extender;
    extender.url_prefix = "https://127.0.0.1:" + std::to_string(port_);
    extender.enable_https = true;
    extender.tls.emplace().ca_file = ca_file;
    const Result<std::string> answer = ask_over_http(extender, "filter", "{}");
    return answer ? answer.value() : answer.error().message;
  }

 private:
  httplib::SSLServer server_;
  int port_ = 0;
  std::thread thread_;
};

constexpr const char* k_address = "IP:127.0.0.1";
constexpr const char* k_refused = "no answer: its certificate is not trusted";

}  // namespace

TEST(ExtenderOverTls, IsTrustedByTheCertificateInCaFile) {
  const Identity identity("right", k_address);
  EXPECT_EQ(SecureServer(identity).asked_with(identity.certificate_file()), R"({"nodenames":["n0"]})");
}

TEST(ExtenderOverTls, IsNotTrustedWithTheCertificateOfAnother) {
  const Identity identity("right", k_address);
  const Identity another("another", k_address);
  EXPECT_EQ(SecureServer(identity).asked_with(another.certificate_file()), k_refused);
}

TEST(ExtenderOverTls, IsNotTrustedUnderAnotherName) {
  const Identity elsewhere("elsewhere", "DNS:elsewhere.example");
  EXPECT_EQ(SecureServer(elsewhere).asked_with(elsewhere.certificate_file()), k_refused);
}

TEST(ExtenderOverTls, IsNotVerifiedWithoutCaFile) {
  EXPECT_EQ(SecureServer(Identity("right", k_address)).asked_with(""), R"({"nodenames":["n0"]})");
}

}  // namespace touchstone::tests::tls_test
