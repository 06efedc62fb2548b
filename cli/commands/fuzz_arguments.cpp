#include "cli/commands/fuzz_arguments.hpp"

#include <regex>

namespace touchstone::cli {

Result<std::chrono::milliseconds> parse_time(const std::string& text) {
  std::smatch parts;
  if (!std::regex_match(text, parts, std::regex(R"((\d{1,6})(s|m|h))")))
    return Error{"bad-time", "--time", "expected a number with s, m or h, such as 90s, found " + text};
  const std::int64_t unit = parts[2] == "s" ? 1 : parts[2] == "m" ? 60 : 3600;
  return std::chrono::milliseconds(1000 * unit * std::stoll(parts[1]));
}

Result<fuzz::Shard> parse_shard(const std::string& text) {
  std::smatch parts;
  if (std::regex_match(text, parts, std::regex(R"((\d{1,6})/(\d{1,6}))"))) {
    const fuzz::Shard shard{std::stoull(parts[1]), std::stoull(parts[2])};
    if (shard.number < shard.count) return shard;
  }
  return Error{"bad-shard", "--shard",
               "expected a number below the number of shards, such as 3/16, found " + text};
}

}  // namespace touchstone::cli
