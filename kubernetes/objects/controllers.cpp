#include "kubernetes/objects/controllers.hpp"

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

/// The controllers in the JSON text of the annotation.
std::vector<Controller> avoided_in(const Value& root) {
  std::vector<Controller> avoided;
  const auto entries = root.find("preferAvoidPods");
  if (!entries) return avoided;
  for (const Value entry : entries->elements()) {
    const auto signature = entry.find("podSignature");
    if (!signature) continue;
    const auto controller = signature->find("podController");
    if (!controller) continue;
    avoided.push_back({.api_version = "",
                       .kind = string_field(*controller, "kind"),
                       .name = "",
                       .uid = string_field(*controller, "uid")});
  }
  return avoided;
}

}  // namespace

std::optional<Controller> read_controller(const Value& metadata) {
  const auto owners = metadata.find("ownerReferences");
  if (!owners) return std::nullopt;
  for (const Value owner : owners->elements()) {
    if (!bool_field(owner, "controller")) continue;
    return Controller{.api_version = string_field(owner, "apiVersion"),
                      .kind = string_field(owner, "kind"),
                      .name = string_field(owner, "name"),
                      .uid = string_field(owner, "uid")};
  }
  return std::nullopt;
}

std::vector<Controller> read_avoided(const Value& metadata) {
  const std::optional<std::string> text = annotation(metadata, k_prefer_avoid_pods);
  if (!text) return {};
  const Result<Document> document = Document::parse(*text, "");
  if (!document) return {};
  try {
    return avoided_in(document.value().root());
  } catch (const InvalidInput&) {
    return {};
  }
}

}  // namespace touchstone::kubernetes
