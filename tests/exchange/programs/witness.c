/* Preloaded behind the exchange library: what the process had from it, when the process ends, and
 * whether MPI_Finalize came through to here, as it has to for tools that write their reports then. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int finalized;

int MPI_Finalize(void) {
  finalized++;
  return PMPI_Finalize();
}

#define ALGORITHM(name) #name,
static const char* const names[] = {
#include "../../../mpi/interpose/exchange/algorithms.def"
};
#undef ALGORITHM

__attribute__((destructor)) static void say(void) {
  long (*calls)(const char*), (*held)(const char*);
  *(void**)&calls = dlsym(RTLD_DEFAULT, "contend_exchange_calls");
  *(void**)&held = dlsym(RTLD_DEFAULT, "contend_exchange_held");
  if (calls == NULL || held == NULL) return;
  char line[512];
  int end = snprintf(line, sizeof line, "witness:");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    end += snprintf(line + end, sizeof line - (size_t)end, " %s=%ld", names[i], calls(names[i]));
  snprintf(line + end, sizeof line - (size_t)end, " finalized=%d held=%ld\n",
           finalized,
           held("memory") + held("communicators") + held("requests"));
  fputs(line, stderr); /* at once, so that lines of several ranks do not mix */
}
