#include "library/interface.hpp"

/// The functions of touchstone.h that take and give JSON, and those that change a cluster.

using namespace touchstone;
using namespace touchstone::library;

namespace {

using NoError = std::optional<Error>;

constexpr NoError k_done = std::nullopt;

}  // namespace

touchstone_error* touchstone_ask(touchstone_engine engine, const char* question, size_t length,
                                 char** answer) {
  return guarded([&]() -> NoError {
    require_argument(answer, "answer");
    oracle::Subject subject(engine_argument(engine));
    *answer = handed_over_text(subject.answer(text_argument(question, length, "question")));
    return k_done;
  });
}

touchstone_error* touchstone_subject_new(touchstone_engine engine, touchstone_subject** subject) {
  return guarded([&]() -> NoError {
    require_argument(subject, "subject");
    *subject = handed_over(
        std::make_unique<touchstone_subject>(touchstone_subject{oracle::Subject(engine_argument(engine))}),
        Kind::subject);
    return k_done;
  });
}

touchstone_error* touchstone_subject_ask(touchstone_subject* subject, const char* question, size_t length,
                                         char** answer) {
  return guarded([&]() -> NoError {
    require_handle(subject, Kind::subject, "subject");
    require_argument(answer, "answer");
    *answer = handed_over_text(subject->subject.answer(text_argument(question, length, "question")));
    return k_done;
  });
}

void touchstone_subject_free(touchstone_subject* subject) { free_handle(subject, Kind::subject); }

touchstone_error* touchstone_cluster_load(const char* json, size_t length, touchstone_cluster** cluster) {
  return guarded([&]() -> NoError {
    require_argument(cluster, "cluster");
    auto loaded = LoadedCluster::load(text_argument(json, length, "json"));
    if (!loaded) return loaded.error();
    auto made = std::make_unique<touchstone_cluster>();
    made->cluster = std::move(loaded).value();
    *cluster = handed_over(std::move(made), Kind::cluster);
    return k_done;
  });
}

void touchstone_cluster_free(touchstone_cluster* cluster) { free_handle(cluster, Kind::cluster); }

touchstone_error* touchstone_cluster_put(touchstone_cluster* cluster, const char* kind, const char* json,
                                         size_t length) {
  return guarded([&]() -> NoError {
    require_handle(cluster, Kind::cluster, "cluster");
    require_argument(kind, "kind");
    return cluster->cluster->put(kind, text_argument(json, length, "json"));
  });
}

touchstone_error* touchstone_cluster_remove(touchstone_cluster* cluster, const char* kind, const char* ns,
                                            const char* name) {
  return guarded([&]() -> NoError {
    require_handle(cluster, Kind::cluster, "cluster");
    require_argument(kind, "kind");
    require_argument(name, "name");
    return cluster->cluster->remove(kind, ns == nullptr ? "" : ns, name);
  });
}

touchstone_error* touchstone_cluster_bind(touchstone_cluster* cluster, const touchstone_pod* pod,
                                          const char* node) {
  return guarded([&]() -> NoError {
    require_handle(cluster, Kind::cluster, "cluster");
    require_handle(pod, Kind::pod, "pod");
    require_argument(node, "node");
    return cluster->cluster->bind(*pod->pod, node);
  });
}

size_t touchstone_cluster_nodes(const touchstone_cluster* cluster) {
  return is_handle(cluster, Kind::cluster) ? cluster->cluster->nodes() : 0;
}

size_t touchstone_cluster_pods(const touchstone_cluster* cluster) {
  return is_handle(cluster, Kind::cluster) ? cluster->cluster->pods() : 0;
}

touchstone_error* touchstone_cluster_ask(touchstone_cluster* cluster, touchstone_engine engine,
                                         const char* question, size_t length, char** answer) {
  return guarded([&]() -> NoError {
    require_handle(cluster, Kind::cluster, "cluster");
    require_argument(answer, "answer");
    *answer = handed_over_text(
        cluster->cluster->ask(engine_argument(engine), text_argument(question, length, "question")));
    return k_done;
  });
}
