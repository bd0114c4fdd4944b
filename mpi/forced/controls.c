/* Control variables of an MPI library (MPI_T), read and written by name.
 *
 * Source: MPI 4.1, section 15.3.6.
 * Restrictions: numbers alone. What is text a library reads once, when it begins.
 */
#include "controls.h"

#include <mpi.h>

#include "require.h"

struct variable {
    int index;
    MPI_Datatype type;
    int scope;
};

union number {
    int as_int;
    unsigned as_unsigned;
    bool as_bool;
};

static bool find(const char *name, struct variable *found)
{
    if (MPI_T_cvar_get_index(name, &found->index) != MPI_SUCCESS)
        return false;
    int no_name = 0, no_text = 0, verbosity, bind; /* lengths of 0: neither is wanted */
    MPI_T_enum values;
    return MPI_T_cvar_get_info(found->index, NULL, &no_name, &verbosity, &found->type, &values,
                               NULL, &no_text, &bind, &found->scope) == MPI_SUCCESS;
}

static bool is_number(const struct variable *one)
{
    return one->type == MPI_INT || one->type == MPI_UNSIGNED || one->type == MPI_C_BOOL;
}

static long long to_value(const struct variable *one, union number number)
{
    if (one->type == MPI_C_BOOL)
        return number.as_bool;
    return one->type == MPI_INT ? number.as_int : (long long)number.as_unsigned;
}

static union number from_value(const struct variable *one, long long value)
{
    union number number = {0};
    if (one->type == MPI_C_BOOL)
        number.as_bool = value != 0;
    else if (one->type == MPI_INT)
        number.as_int = (int)value;
    else
        number.as_unsigned = (unsigned)value;
    return number;
}

/* Reads the value, and then writes another one where `written` is given; the code of MPI. */
static int access(const struct variable *one, long long *value, const long long *written)
{
    MPI_T_cvar_handle handle;
    int count = 0;
    union number number = {0};
    int code = MPI_T_cvar_handle_alloc(one->index, NULL, &handle, &count);
    if (code != MPI_SUCCESS)
        return code;
    code = count == 1 ? MPI_T_cvar_read(handle, &number) : MPI_ERR_COUNT;
    *value = to_value(one, number);
    if (code == MPI_SUCCESS && written != NULL) {
        number = from_value(one, *written);
        code = MPI_T_cvar_write(handle, &number);
    }
    MPI_T_cvar_handle_free(&handle);
    return code;
}

enum contend_control_state contend_look_at_control(const char *name, long long *value)
{
    struct variable one;
    if (!find(name, &one))
        return CONTEND_CONTROL_UNKNOWN;
    if (!is_number(&one) || access(&one, value, NULL) != MPI_SUCCESS)
        return CONTEND_CONTROL_NO_NUMBER;
    const bool is_fixed = one.scope == MPI_T_SCOPE_CONSTANT || one.scope == MPI_T_SCOPE_READONLY;
    return is_fixed ? CONTEND_CONTROL_FIXED : CONTEND_CONTROL_WRITABLE;
}

bool contend_set_control(struct contend_control *control)
{
    struct variable one;
    control->is_set = find(control->name, &one) && is_number(&one) &&
                      access(&one, &control->before, &control->value) == MPI_SUCCESS;
    return control->is_set;
}

void contend_restore_control(struct contend_control *control)
{
    struct variable one;
    long long value;
    if (control->is_set &&
        (!find(control->name, &one) || access(&one, &value, &control->before) != MPI_SUCCESS))
        contend_abort(1, "the library does not take back %lld for %s", control->before,
                      control->name);
    control->is_set = false;
}
