/* Control variables of an MPI library (MPI_T), read and written by name. */
#ifndef CONTEND_CONTROLS_H
#define CONTEND_CONTROLS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* One that is a number, held so that reading and writing it takes no look-up. */
struct contend_variable {
    int index, scope;
    MPI_Datatype type;
    MPI_T_cvar_handle handle;
};

/* False where the library has none of that name, or it is no number. */
bool contend_open_variable(const char *name, struct contend_variable *variable);
void contend_close_variable(struct contend_variable *variable);
bool contend_read_variable(const struct contend_variable *variable, long long *value);

/* False if the library does not take it. */
bool contend_write_variable(const struct contend_variable *variable, long long value);

/* One that is a number: an int, an unsigned or a bool of C. */
struct contend_control {
    char *name;
    long long value;
    long long before; /* what it was, while it has `value` */
    bool is_first;    /* for the first call of a point alone */
    bool is_set;
};

enum contend_control_state {
    CONTEND_CONTROL_UNKNOWN, /* the library has none of that name */
    CONTEND_CONTROL_NO_NUMBER,
    CONTEND_CONTROL_FIXED, /* not written any more once MPI has begun */
    CONTEND_CONTROL_WRITABLE
};

/* What the library knows of a variable, and its value where it is a number; before MPI_Init too. */
enum contend_control_state contend_look_at_control(const char *name, long long *value);

/* Writes the value, and keeps what was there; false if the library does not take it. */
bool contend_set_control(struct contend_control *control);

/* Writes back what was there, if anything was written; false if the library does not take it. */
bool contend_restore_control(struct contend_control *control);

#endif
