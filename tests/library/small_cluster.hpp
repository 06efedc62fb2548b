#pragma once

#include <nlohmann/json.hpp>

#include "library/touchstone.hpp"

/// A cluster of two nodes for the tests of libtouchstone, and the library's functions on JSON.
namespace touchstone {

using Json = nlohmann::ordered_json;

inline Json parsed(const std::string& text) { return Json::parse(text); }

inline Json node(const std::string& name, const std::string& cpu) {
  return {{"metadata", {{"name", name}}},
          {"status", {{"allocatable", {{"cpu", cpu}, {"memory", "8Gi"}, {"pods", "110"}}}}}};
}

inline Json pod(const std::string& name, const std::string& cpu, int priority, const std::string& on = "") {
  Json json{{"metadata", {{"name", name}, {"namespace", "a"}, {"uid", name}}},
            {"spec",
             {{"priority", priority},
              {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", cpu}}}}}}}}}}};
  if (!on.empty()) json["spec"]["nodeName"] = on;
  return json;
}

inline Json small_cluster() {
  return {{"release", "v1.37.2"},
          {"nodes", {node("n0", "4"), node("n1", "2")}},
          {"pods", {pod("p0", "3", 0, "n0"), pod("p1", "2", 5, "n1")}}};
}

inline Cluster loaded(const Json& json) { return Cluster::load(json.dump()).value(); }
inline Pod read(const Json& json) { return Pod::read(json.dump()).value(); }
inline Json asked(Cluster& cluster, const Json& question, touchstone_engine engine) {
  return parsed(cluster.ask(question.dump(), engine).value());
}

}  // namespace touchstone
