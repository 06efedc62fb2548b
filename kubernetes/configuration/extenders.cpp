#include "kubernetes/configuration/extenders.hpp"

#include <set>
#include <string>

#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/extenders.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/names.hpp"

namespace touchstone::kubernetes {

namespace {

/// Whether a name is that of an extended resource: it has a domain that is not one of Kubernetes.
bool is_extended_resource(const std::string& name) {
  if (name.find('/') == std::string::npos || name.find("kubernetes.io/") != std::string::npos) return false;
  return !name.starts_with("requests.") && is_qualified_name("requests." + name);
}

void check_resources(const Value& extender, std::set<std::string>& seen) {
  const auto resources = extender.find("managedResources");
  if (!resources) return;
  for (const Value resource : resources->elements()) {
    const std::string name = string_field(resource, "name");
    const std::string shown = '"' + name + '"';
    if (!is_qualified_name(name))
      refuse_configured_value(resource, shown, "name part must be a qualified name");
    if (!is_extended_resource(name))
      refuse_configured_value(resource, shown, "is an invalid extended resource name");
    if (!seen.insert(name).second)
      refuse_configured_value(resource, shown, "duplicate extender managed resource name");
  }
}

}  // namespace

void check_extenders(const Value& object) {
  const auto list = object.find("extenders");
  if (!list) return;
  std::set<std::string> resources;
  std::size_t binders = 0;
  for (const Value element : list->elements()) {
    const Extender extender = read_extender(element);
    if (!extender.prioritize_verb.empty() && extender.weight <= 0)
      refuse_configured_value(element, std::to_string(extender.weight),
                              "must have a positive weight applied to it");
    check_resources(element, resources);
    if (!extender.bind_verb.empty()) ++binders;
  }
  if (binders > 1)
    refuse_configured_value(*list, "found " + std::to_string(binders) + " extenders implementing bind",
                            "only one extender can implement bind");
}

std::vector<Extender> configured_extenders(const Value& config) {
  check_extenders(config);
  return list_field(config, "extenders", read_extender);
}

}  // namespace touchstone::kubernetes
