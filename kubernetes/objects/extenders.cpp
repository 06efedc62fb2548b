#include "kubernetes/objects/extenders.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/text/duration.hpp"

namespace touchstone::kubernetes {

namespace {

/// The duration in a field, in nanoseconds: a text such as 500ms or, in a Policy, a number.
Quantity duration_field(const Value& object, std::string_view key) {
  const auto value = object.find(key);
  if (!value) return 0;
  const std::string text = value->number_or_string();
  Quantity number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0) return number;
  const Result<Quantity> duration = text.empty() ? Result<Quantity>(0) : parse_duration(text);
  if (!duration) value->fail(duration.error().code, duration.error().message);
  return duration.value();
}

ExtenderTls read_tls(const Value& value) {
  return {.insecure = bool_field(value, "insecure"),
          .server_name = string_field(value, "serverName"),
          .cert_file = string_field(value, "certFile"),
          .key_file = string_field(value, "keyFile"),
          .ca_file = string_field(value, "caFile"),
          .cert_data = string_field(value, "certData"),
          .key_data = string_field(value, "keyData"),
          .ca_data = string_field(value, "caData")};
}

[[noreturn]] void wrong_entry(const Value& value, const std::string& expected) {
  value.fail("wrong-table", "expected " + expected);
}

/// "ok", "failed", "failed: TEXT", "unresolvable", "unresolvable: TEXT".
FilterEntry read_filter_entry(const Value& value) {
  const std::string_view text = value.string();
  if (text == "ok") return {};
  for (const auto& [word, verdict] :
       {std::pair{std::string_view("failed"), ExtenderVerdict::failed},
        std::pair{std::string_view("unresolvable"), ExtenderVerdict::unresolvable}}) {
    if (text == word) return {verdict, ""};
    const std::string prefix = std::string(word) + ": ";
    if (text.starts_with(prefix)) return {verdict, std::string(text.substr(prefix.size()))};
  }
  wrong_entry(value,
              "\"ok\", \"failed: TEXT\" or \"unresolvable: TEXT\", found \"" + std::string(text) + "\"");
}

Quantity read_score(const Value& value) {
  return value.integer(std::numeric_limits<Quantity>::min(), std::numeric_limits<Quantity>::max());
}

/// "keep", or an object with victims and numPDBViolations.
VictimsEntry read_victims_entry(const Value& value) {
  if (value.is_text()) {
    if (value.string() != "keep") wrong_entry(value, "\"keep\", null or an object with victims");
    return {.kept = true, .victims = {}, .pdb_violations = 0};
  }
  for (const Value member : value.members()) {
    if (member.key() != "victims" && member.key() != "numPDBViolations")
      member.fail("unknown-field",
                  "expected victims or numPDBViolations, found " + std::string(member.key()));
  }
  const auto violations = value.find("numPDBViolations");
  return {.kept = false,
          .victims = strings_field(value, "victims"),
          .pdb_violations = violations ? read_score(*violations) : 0};
}

/// The table of a verb: "error", "error: TEXT", or an object with an entry for each node.
template <typename Entry>
std::optional<AnswerTable<Entry>> table_field(const Value& extender, std::string_view key,
                                              const std::string& verb, Entry (*read)(const Value&)) {
  const auto value = extender.find(key);
  if (!value) return std::nullopt;
  if (verb.empty())
    value->fail("wrong-table", "expected " + std::string(key) + "Verb beside the table " + std::string(key));
  AnswerTable<Entry> table;
  if (value->is_text()) {
    const std::string_view text = value->string();
    if (text != "error" && !text.starts_with("error: "))
      wrong_entry(*value, "an object by node, or \"error\", found \"" + std::string(text) + "\"");
    table.error = text == "error" ? "" : std::string(text.substr(7));
    return table;
  }
  for (const Value member : value->members()) {
    if (member.is_null()) continue;
    if (!table.nodes.emplace(std::string(member.key()), read(member)).second)
      member.fail("duplicate-key", "expected this node once");
  }
  return table;
}

/// The keys of an extender in a question.
constexpr std::array<std::string_view, 15> k_keys = {
    "urlPrefix",        "filterVerb",  "preemptVerb", "prioritizeVerb", "weight",
    "bindVerb",         "enableHTTPS", "tlsConfig",   "httpTimeout",    "nodeCacheCapable",
    "managedResources", "ignorable",   "filter",      "prioritize",     "preempt"};

Extender read_extender_of_question(const Value& value) {
  for (const Value member : value.members()) {
    if (std::find(k_keys.begin(), k_keys.end(), member.key()) == k_keys.end())
      member.fail("unknown-field", "expected a field of an extender, found " + std::string(member.key()));
  }
  Extender extender = read_extender(value);
  extender.filter = table_field<FilterEntry>(value, "filter", extender.filter_verb, read_filter_entry);
  extender.prioritize = table_field<Quantity>(value, "prioritize", extender.prioritize_verb, read_score);
  extender.preempt = table_field<VictimsEntry>(value, "preempt", extender.preempt_verb, read_victims_entry);
  return extender;
}

}  // namespace

Extender read_extender(const Value& value) {
  Extender extender;
  extender.url_prefix = string_field(value, "urlPrefix");
  extender.filter_verb = string_field(value, "filterVerb");
  extender.prioritize_verb = string_field(value, "prioritizeVerb");
  extender.preempt_verb = string_field(value, "preemptVerb");
  extender.bind_verb = string_field(value, "bindVerb");
  if (const auto weight = value.find("weight")) extender.weight = read_score(*weight);
  extender.node_cache_capable = bool_field(value, "nodeCacheCapable");
  extender.ignorable = bool_field(value, "ignorable");
  extender.managed_resources = list_field(value, "managedResources", [](const Value& resource) {
    return ManagedResource{string_field(resource, "name"), bool_field(resource, "ignoredByScheduler")};
  });
  extender.enable_https = bool_field(value, "enableHTTPS") || bool_field(value, "enableHttps");
  if (const auto tls = value.find("tlsConfig")) extender.tls = read_tls(*tls);
  extender.http_timeout_ns = duration_field(value, "httpTimeout");
  return extender;
}

std::vector<Extender> read_extenders_of_question(const Value& question) {
  return list_field(question, "extenders", read_extender_of_question);
}

}  // namespace touchstone::kubernetes
