/* For how long this process was ready to run and had no processor. */
#ifndef CONTEND_WAITING_H
#define CONTEND_WAITING_H

/* Seconds since it was started, of its main thread; NAN where the kernel does not tell. */
double contend_waited(void);

#endif
