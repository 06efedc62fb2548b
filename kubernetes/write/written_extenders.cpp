#include "kubernetes/write/written_extenders.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "kubernetes/write/written_fields.hpp"

namespace touchstone::kubernetes {

namespace {

void put_true(Json& object, std::string_view key, bool value) {
  if (value) object[std::string(key)] = true;
}

Json entry_of(const FilterEntry& entry) {
  if (entry.verdict == ExtenderVerdict::passes) return "ok";
  const std::string word = entry.verdict == ExtenderVerdict::failed ? "failed" : "unresolvable";
  return entry.reason.empty() ? word : word + ": " + entry.reason;
}

Json entry_of(const VictimsEntry& entry) {
  if (entry.kept) return "keep";
  return {{"victims", entry.victims}, {"numPDBViolations", entry.pdb_violations}};
}

Json entry_of(Quantity score) { return score; }

template <typename Entry>
void put_table(Json& object, std::string_view key, const std::optional<AnswerTable<Entry>>& table) {
  if (!table) return;
  Json& json = object[std::string(key)];
  if (table->error) {
    json = table->error->empty() ? "error" : "error: " + *table->error;
    return;
  }
  json = Json::object();
  for (const auto& [node, entry] : table->nodes) json[node] = entry_of(entry);
}

Json tls_of(const ExtenderTls& tls) {
  Json json = Json::object();
  put_true(json, "insecure", tls.insecure);
  put(json, "serverName", tls.server_name);
  put(json, "certFile", tls.cert_file);
  put(json, "keyFile", tls.key_file);
  put(json, "caFile", tls.ca_file);
  put(json, "certData", tls.cert_data);
  put(json, "keyData", tls.key_data);
  put(json, "caData", tls.ca_data);
  return json;
}

Json resource_of(const ManagedResource& resource) {
  Json json{{"name", resource.name}};
  put_true(json, "ignoredByScheduler", resource.ignored_by_scheduler);
  return json;
}

}  // namespace

Json written_extender(const Extender& extender) {
  Json json = Json::object();
  put(json, "urlPrefix", extender.url_prefix);
  put(json, "filterVerb", extender.filter_verb);
  put(json, "prioritizeVerb", extender.prioritize_verb);
  put(json, "preemptVerb", extender.preempt_verb);
  put(json, "bindVerb", extender.bind_verb);
  if (extender.weight != 0) json["weight"] = extender.weight;
  put_true(json, "nodeCacheCapable", extender.node_cache_capable);
  put_true(json, "ignorable", extender.ignorable);
  for (const ManagedResource& each : extender.managed_resources)
    json["managedResources"].push_back(resource_of(each));
  put_true(json, "enableHTTPS", extender.enable_https);
  if (extender.tls) json["tlsConfig"] = tls_of(*extender.tls);
  if (extender.http_timeout_ns != 0) json["httpTimeout"] = std::to_string(extender.http_timeout_ns) + "ns";
  put_table(json, "filter", extender.filter);
  put_table(json, "prioritize", extender.prioritize);
  put_table(json, "preempt", extender.preempt);
  return json;
}

}  // namespace touchstone::kubernetes
