#pragma once

#include <cstddef>

#include "oracle/extenders/asking.hpp"

/// Extenders over HTTP.
namespace touchstone::oracle {

/// The largest answer that is read.
inline constexpr std::size_t k_largest_answer = 16U << 20U;

/// Sends a call as the scheduler does: POST to urlPrefix/verb. The whole call, from the connection to the
/// last byte, ends after httpTimeout, or five seconds. Redirections are not followed. Errors:
/// extender-unreachable, extender-timeout, extender-status, extender-too-large; not-supported, for
/// certificates that are not files, and for `serverName`.
Result<std::string> ask_over_http(const Extender& extender, const std::string& verb,
                                  const std::string& request);

}  // namespace touchstone::oracle
