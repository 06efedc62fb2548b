#pragma once

#include <string_view>

/// The forms that names have: k8s.io/apimachinery/pkg/util/validation@v0.34.4.
namespace touchstone::kubernetes {

/// At most 63 characters: lower case letters, digits, and dashes inside.
bool is_dns_label(std::string_view text);

/// DNS labels with dots between them, at most 253 characters.
bool is_dns_subdomain(std::string_view text);

/// What a key of a label is: a name of at most 63 letters, digits, and -, _ or . inside, which may have a DNS
/// subdomain and a slash before it.
bool is_qualified_name(std::string_view text);

/// Empty, or a name as that of a label's key.
bool is_label_value(std::string_view text);

}  // namespace touchstone::kubernetes
