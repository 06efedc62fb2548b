/* Schedules pods on a small cluster with the C library, and follows each decision.
 *
 *     cc decide.c $(pkg-config --cflags --libs touchstone) -o decide && ./decide
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <touchstone.h>

static const char k_cluster[] =
    "{\"release\": \"v1.37.2\","
    " \"nodes\": ["
    "  {\"metadata\": {\"name\": \"a\"}, \"status\": {\"allocatable\": {\"cpu\": \"2\", \"memory\": \"4Gi\", \"pods\": \"10\"}}},"
    "  {\"metadata\": {\"name\": \"b\"}, \"status\": {\"allocatable\": {\"cpu\": \"1\", \"memory\": \"4Gi\", \"pods\": \"10\"}}}],"
    " \"pods\": ["
    "  {\"metadata\": {\"name\": \"batch\", \"namespace\": \"jobs\", \"uid\": \"0\"}, \"spec\": {\"nodeName\": \"a\", \"priority\": 0,"
    "   \"containers\": [{\"name\": \"c\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}, \"status\": {\"phase\": \"Running\"}}]}";

/* Ends the program if a function returned an error. */
static void check(touchstone_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s: %s\n", touchstone_error_code(error), touchstone_error_place(error),
          touchstone_error_text(error));
  touchstone_error_free(error);
  exit(1);
}

int main(void) {
  touchstone_cluster* cluster = NULL;
  touchstone_decision* decision = NULL;
  touchstone_error* error;
  char* answer = NULL;
  int number;

  check(touchstone_cluster_load(k_cluster, strlen(k_cluster), &cluster));
  check(touchstone_decision_new(&decision));

  for (number = 0; number < 3; ++number) {
    char json[400];
    size_t i;
    touchstone_pod* pod = NULL;
    snprintf(json, sizeof json,
             "{\"metadata\": {\"name\": \"web-%d\", \"namespace\": \"shop\", \"uid\": \"w%d\"}, \"spec\": {\"priority\": 100,"
             " \"containers\": [{\"name\": \"c\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}}",
             number, number);
    check(touchstone_pod_read(json, strlen(json), &pod));
    check(touchstone_schedule(cluster, pod, NULL, decision));
    printf("web-%d: outcome %d, node %s", number, (int)touchstone_decision_outcome(decision),
           touchstone_decision_node(decision));
    for (i = 0; i < touchstone_decision_victims(decision); ++i) {
      const char* victim = touchstone_decision_victim(decision, i);
      printf(", evicts %s", victim);
      check(touchstone_cluster_remove(cluster, "Pod", "jobs", strchr(victim, '/') + 1));
    }
    printf("\n");
    check(touchstone_cluster_bind(cluster, pod, touchstone_decision_node(decision)));
    touchstone_pod_free(pod);
  }
  printf("%u nodes, %u pods\n", (unsigned)touchstone_cluster_nodes(cluster), (unsigned)touchstone_cluster_pods(cluster));

  /* The same cluster, asked in the words of the protocol. */
  {
    const char* question =
        "{\"cmd\": \"run\", \"seq\": 1, \"pod\": {\"metadata\": {\"name\": \"web-3\", \"uid\": \"w3\"}, \"spec\": {\"priority\": 100,"
        " \"containers\": [{\"name\": \"c\", \"resources\": {\"requests\": {\"cpu\": \"1\"}}}]}}}";
    check(touchstone_cluster_ask(cluster, TOUCHSTONE_REFERENCE, question, strlen(question), &answer));
    printf("%s\n", answer);
    touchstone_text_free(answer);
  }

  /* An error is a value. */
  error = touchstone_cluster_put(cluster, "Node", "{\"metadata\": {}}", 16);
  if (error == NULL) return 1;
  printf("%s at %s\n", touchstone_error_code(error), touchstone_error_place(error));
  touchstone_error_free(error);

  touchstone_decision_free(decision);
  touchstone_cluster_free(cluster);
  return 0;
}
