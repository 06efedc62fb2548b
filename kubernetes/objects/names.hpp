#pragma once

#include <string_view>

/// Syntax checks for names, as in k8s.io/apimachinery/pkg/util/validation@v0.34.4.
namespace touchstone::kubernetes {

/// At most 63 characters: lower case letters and digits, and dashes between them.
bool is_dns_label(std::string_view text);

/// DNS labels of any length, separated by dots; at most 253 characters in total.
bool is_dns_subdomain(std::string_view text);

/// The syntax of a label key: a name of at most 63 characters, with letters and digits, and with -, _ or .
/// between them. A DNS subdomain and a slash may precede the name.
bool is_qualified_name(std::string_view text);

/// Empty, or a name as in a label key, without a subdomain.
bool is_label_value(std::string_view text);

}  // namespace touchstone::kubernetes
