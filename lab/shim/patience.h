/* What other parts of the library tell the one that lets ranks wait. */
#ifndef CONTEND_SHIM_PATIENCE_H
#define CONTEND_SHIM_PATIENCE_H

/* The calling thread sleeps of its own will: what it waits for afterwards is new. */
__attribute__((visibility("hidden"))) void contend_shim_forget_misses(void);

#endif
