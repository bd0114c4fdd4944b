/* The course of a program: what its main does with an experiment. */
#ifndef CONTEND_DRIVER_H
#define CONTEND_DRIVER_H

#include "experiment.h"

/* Runs every size with every algorithm and prints what was measured; the exit code. */
int contend_drive(const struct contend_experiment *experiment, int argc, char **argv);

#endif
