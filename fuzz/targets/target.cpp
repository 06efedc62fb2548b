#include "fuzz/targets/target.hpp"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fuzz/generate/epochs.hpp"
#include "kubernetes/write/written.hpp"

namespace touchstone::fuzz {

namespace {

/// All releases are folded once, because folding a release takes longer than a scenario.
const Release& release_of(std::size_t number) {
  static const std::vector<Release> releases = [] {
    std::vector<Release> all;
    for (const std::string& epoch : k_distinct_releases) all.push_back(find_release(epoch).value().release);
    return all;
  }();
  return releases[number];
}

/// Small scenarios of every family but many_nodes. For many nodes, campaigns are faster.
Scenarios small_scenarios(const Release& release) {
  Scenarios scenarios = all_scenarios(release);
  scenarios.families.erase(Family::many_nodes);
  scenarios.most_nodes = 4;
  return scenarios;
}

}  // namespace

Case::Case(const std::uint8_t* data, std::size_t size)
    : release(release_of(size == 0 ? 0 : data[0] % k_distinct_releases.size())),
      choices(size == 0 ? std::vector<std::uint8_t>{} : std::vector<std::uint8_t>(data + 1, data + size)),
      question(scenario(choices, small_scenarios(release))) {}

std::string line_of(const Question& question, const Release& release) {
  nlohmann::ordered_json line{{"cmd", "run"}, {"seq", 1}, {"release", release.version.text()}};
  line.update(kubernetes::written(question));
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void broken(std::string_view law, std::string_view how, std::string_view shown) {
  std::string text = "broken: ";
  text.append(law).append("\n").append(how).append("\n").append(shown).append("\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::abort();
}

void broken(std::string_view law, std::string_view how, const Case& shown) {
  broken(law, how, line_of(shown.question, shown.release));
}

void check_error(const Error& error, std::string_view name, std::string_view text) {
  constexpr std::string_view k_law = "an error has a code, a path that begins with the source, and a message";
  if (error.code.empty() || error.message.empty() || !error.path.starts_with(name))
    broken(k_law, "code '" + error.code + "', path '" + error.path + "', message '" + error.message + "'",
           text);
}

}  // namespace touchstone::fuzz
