#include "cli/html/page.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "cli/html/template.hpp"
#include "kubernetes/text/bytes.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

/// JSON that may stand inside a script element: no `<`, so that no text ends the element or begins a comment.
/// A byte that is not UTF-8 is replaced.
std::string inside_script(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

/// The titles and texts of the clauses that the cases name.
Json clauses_of(const Json& report) {
  Json clauses = Json::object();
  for (const Json& each : report["cases"]) {
    const std::string id = each.value("clause", "");
    if (id.empty() || clauses.contains(id) || title_of(id).empty()) continue;
    clauses[id] = {{"title", title_of(id)}, {"text", statement_of(id)}};
  }
  return clauses;
}

}  // namespace

std::string html_page(Json report) {
  report["clauses"] = clauses_of(report);
  std::string page(k_html_template);
  constexpr std::string_view k_place = "@REPORT@";
  return page.replace(page.find(k_place), k_place.size(), inside_script(report));
}

std::optional<Error> write_html(const std::string& path, const Json& report) {
  return kubernetes::write_bytes(path, html_page(report));
}

}  // namespace touchstone::cli
