// What programs of patterns.c and kernels.c share; set before they run.
#pragma once

extern int rank, ranks, steps, bytes;

void compute(double share);  // for so much of a step's time

void sort(void);
void fourier(void);
void gradients(void);
void multigrid(void);
void pipeline(void);
