/* libtouchstone: decisions of kube-scheduler, as the program `touchstone` computes them.
 *
 * Questions and answers are JSON, as spec/protocol.md of the project describes them. For many decisions about one
 * cluster, load the cluster once, change it, and ask with typed functions.
 *
 * Errors. A function that can fail returns an error, or NULL if it succeeded. It then has not changed its output
 * arguments. An error has a code for programs, a place and a text. The caller frees it. A question that cannot be
 * answered is not a failure of the function: its answer has the member "error", with the same three parts.
 *
 * Handles. A handle that is NULL, that was freed, that belongs to another type or that this library did not make is
 * answered with the error `invalid-handle`, or by functions without errors with their "nothing" value. (An address
 * that was freed may come back as a new handle of the same type.) Freeing such a handle does nothing.
 *
 * Texts. A text is given with its length, and needs no end mark. `const char*` without a length ends with a zero
 * byte. A `char*` that a function returns is freed with touchstone_text_free().
 *
 * Threads. All functions may be called from any number of threads at the same time, also with the same cluster and
 * the same pod: questions about one cluster run side by side, and a change waits for them. Two things are the
 * caller's: a handle is freed once no other call uses it, and a decision or a subject is used by one thread at a
 * time. The library starts threads only for complete questions about 1,000 nodes and more with the optimized engine
 * (touchstone_ask), and they end with the call. It keeps no state of the process but the list of live handles, reads
 * no environment and no file, and never writes to standard output.
 *
 * ABI. Everything here is version 1. Later versions add functions, and values at the end of enumerations and
 * structures; they change nothing. The symbols have the version TOUCHSTONE_1.
 */
#ifndef TOUCHSTONE_H
#define TOUCHSTONE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TOUCHSTONE_API __attribute__((visibility("default")))
#define TOUCHSTONE_CHECKED __attribute__((visibility("default"), warn_unused_result))
#else
#define TOUCHSTONE_API
#define TOUCHSTONE_CHECKED
#endif

/* The version of this interface. */
#define TOUCHSTONE_ABI 1

typedef struct touchstone_error touchstone_error;
typedef struct touchstone_subject touchstone_subject;
typedef struct touchstone_cluster touchstone_cluster;
typedef struct touchstone_pod touchstone_pod;
typedef struct touchstone_decision touchstone_decision;

/* Which engine answers. `optimized` leaves statuses, messages and losing candidates out. `both` answers as the
 * reference, or with the error `engines-differ`. */
typedef enum touchstone_engine {
  TOUCHSTONE_REFERENCE = 0,
  TOUCHSTONE_OPTIMIZED = 1,
  TOUCHSTONE_BOTH = 2
} touchstone_engine;

/* TOUCHSTONE_ABI of the library that runs, and its version, such as "0.1.0". */
TOUCHSTONE_API int touchstone_abi(void);
TOUCHSTONE_API const char* touchstone_version(void);

/* The parts of an error. The texts live as long as the error. NULL: this is no error. The code is stable, such as
 * "json-malformed" or "unknown-release"; the place is the argument, object and field; the text is for people. */
TOUCHSTONE_API const char* touchstone_error_code(const touchstone_error* error);
TOUCHSTONE_API const char* touchstone_error_place(const touchstone_error* error);
TOUCHSTONE_API const char* touchstone_error_text(const touchstone_error* error);
TOUCHSTONE_API void touchstone_error_free(touchstone_error* error);

TOUCHSTONE_API void touchstone_text_free(char* text);

/* ---- Questions and answers as JSON ---- */

/* Answers one line of the protocol, such as {"cmd":"schedule","release":"v1.37","nodes":[...],"pod":{...}}. The
 * commands of a scheduler over time need a subject. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_ask(touchstone_engine engine, const char* question, size_t length,
                                                    char** answer);

/* A subject answers lines one after another, and remembers what a scheduler over time remembers. The answer to
 * {"cmd":"bye"} is empty. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_subject_new(touchstone_engine engine, touchstone_subject** subject);
TOUCHSTONE_CHECKED touchstone_error* touchstone_subject_ask(touchstone_subject* subject, const char* question,
                                                            size_t length, char** answer);
TOUCHSTONE_API void touchstone_subject_free(touchstone_subject* subject);

/* ---- A cluster that is loaded once ---- */

/* Loads a cluster: a JSON object with the keys of a question but those of one pod: `release`, the lists of objects
 * (nodes, pods, pdbs, namespaces, pvcs, ...), and `config`, `policy` and `featureGates` of the scheduler. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_cluster_load(const char* json, size_t length,
                                                             touchstone_cluster** cluster);
TOUCHSTONE_API void touchstone_cluster_free(touchstone_cluster* cluster);

/* Adds an object at the end of its list, or replaces the one of the same name, which keeps its place. A pod with
 * another UID is another pod: the old one is removed. `kind`: Node, Pod, PodDisruptionBudget, Namespace, Service,
 * ReplicationController, ReplicaSet, StatefulSet, PersistentVolumeClaim, PersistentVolume, StorageClass, CSINode,
 * CSIDriver, VolumeAttachment or CSIStorageCapacity. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_cluster_put(touchstone_cluster* cluster, const char* kind,
                                                            const char* json, size_t length);
/* Removes an object. `ns` is NULL for kinds without a namespace. Error: unknown-object. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_cluster_remove(touchstone_cluster* cluster, const char* kind,
                                                               const char* ns, const char* name);
/* Puts a pod on a node: adds it, or replaces the one of the same name. Error: unknown-object. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_cluster_bind(touchstone_cluster* cluster, const touchstone_pod* pod,
                                                             const char* node);
/* The number of nodes or of pods; 0 for an invalid handle. */
TOUCHSTONE_API size_t touchstone_cluster_nodes(const touchstone_cluster* cluster);
TOUCHSTONE_API size_t touchstone_cluster_pods(const touchstone_cluster* cluster);

/* Answers a question about the loaded cluster: a line of the protocol (`run` or `schedule`) that has only the keys
 * of one pod: cmd, seq, pod, offset, quota, start, extenders, anyOrder, trace. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_cluster_ask(touchstone_cluster* cluster, touchstone_engine engine,
                                                            const char* question, size_t length, char** answer);

/* ---- Typed questions about a loaded cluster ---- */

/* Reads a pod as an API server serves it. A pod belongs to no cluster, and does not change. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_pod_read(const char* json, size_t length, touchstone_pod** pod);
TOUCHSTONE_API void touchstone_pod_free(touchstone_pod* pod);

/* Numbers of the protocol that change how the release searches; negative: not given. `size` is sizeof of this
 * structure. NULL instead of it: nothing is given. */
typedef struct touchstone_options {
  size_t size;
  int64_t start;
  int64_t offset;
  int64_t quota;
} touchstone_options;

#define TOUCHSTONE_OPTIONS_INIT {sizeof(touchstone_options), -1, -1, -1}

/* A decision is memory for the result of a question. It can be used again, which saves allocations. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_decision_new(touchstone_decision** decision);
TOUCHSTONE_API void touchstone_decision_free(touchstone_decision* decision);

/* Runs one whole scheduling cycle, or preemption alone (`run` of the protocol) with the optimized engine. Where
 * that engine leaves a question to the reference, the reference answers. Does not change the cluster: bind the pod
 * and remove the victims to follow the decision. */
TOUCHSTONE_CHECKED touchstone_error* touchstone_schedule(touchstone_cluster* cluster, const touchstone_pod* pod,
                                                         const touchstone_options* options,
                                                         touchstone_decision* decision);
TOUCHSTONE_CHECKED touchstone_error* touchstone_preempt(touchstone_cluster* cluster, const touchstone_pod* pod,
                                                        const touchstone_options* options,
                                                        touchstone_decision* decision);

typedef enum touchstone_outcome {
  TOUCHSTONE_NOTHING = 0,    /* no question was answered with this decision */
  TOUCHSTONE_SCHEDULED = 1,  /* of touchstone_schedule: on the node */
  TOUCHSTONE_FITS = 2,       /* of touchstone_preempt: the pod fits, and nothing is preempted */
  TOUCHSTONE_NOMINATED = 3,  /* the victims on the node are evicted */
  TOUCHSTONE_NONE = 4,       /* no eviction helps */
  TOUCHSTONE_INELIGIBLE = 5, /* the pod may not preempt */
  TOUCHSTONE_FAILED = 6,     /* the release ends the attempt with an error */
  TOUCHSTONE_SKIPPED = 7     /* the decision needs what is not modelled */
} touchstone_outcome;

/* The parts of a decision. Texts live until the decision is used again or freed. */
TOUCHSTONE_API touchstone_outcome touchstone_decision_outcome(const touchstone_decision* decision);
/* The name of the node with `scheduled` and `nominated`; else an empty text. NULL: invalid handle. */
TOUCHSTONE_API const char* touchstone_decision_node(const touchstone_decision* decision);
/* Why, with `ineligible`, `failed` and `skipped`; else an empty text. NULL: invalid handle. */
TOUCHSTONE_API const char* touchstone_decision_reason(const touchstone_decision* decision);
/* With `nominated`, the victims as NAMESPACE/NAME in the order of the release. NULL: there is no such victim. */
TOUCHSTONE_API size_t touchstone_decision_victims(const touchstone_decision* decision);
TOUCHSTONE_API const char* touchstone_decision_victim(const touchstone_decision* decision, size_t index);
/* With `nominated`, how many victims violate a PodDisruptionBudget; else 0. */
TOUCHSTONE_API int64_t touchstone_decision_violations(const touchstone_decision* decision);
/* The nodes that the release may choose, of which the node is one; with `fits`, those that fit. NULL: there is no
 * such node. */
TOUCHSTONE_API size_t touchstone_decision_choices(const touchstone_decision* decision);
TOUCHSTONE_API const char* touchstone_decision_choice(const touchstone_decision* decision, size_t index);
/* With `scheduled`, the total score of the node; -1 if the release does not score. */
TOUCHSTONE_API int64_t touchstone_decision_total(const touchstone_decision* decision);
/* The start of the next search, if `start` was given; else -1. */
TOUCHSTONE_API int64_t touchstone_decision_next_start(const touchstone_decision* decision);

#ifdef __cplusplus
}
#endif

#endif
