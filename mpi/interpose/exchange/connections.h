/* Connections between all ranks, made before anything is timed. */
#ifndef CONTEND_CONNECTIONS_H
#define CONTEND_CONNECTIONS_H

#include "state.h"

/* A message without bytes between any two ranks. Called by all ranks. */
int contend_connect(struct contend_state *state);

#endif
