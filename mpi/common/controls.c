/* Control variables of an MPI library (MPI_T), read and written by name.
 *
 * Source: MPI 4.1, section 15.3.6.
 * Restrictions: numbers alone. What is text a library reads once, when it begins.
 */
#include "controls.h"

union number {
    int as_int;
    unsigned as_unsigned;
    bool as_bool;
};

static bool find(const char *name, struct contend_variable *found)
{
    if (MPI_T_cvar_get_index(name, &found->index) != MPI_SUCCESS)
        return false;
    int no_name = 0, no_text = 0, verbosity, bind; /* lengths of 0: neither is wanted */
    MPI_T_enum values;
    return MPI_T_cvar_get_info(found->index, NULL, &no_name, &verbosity, &found->type, &values,
                               NULL, &no_text, &bind, &found->scope) == MPI_SUCCESS;
}

static bool is_number(const struct contend_variable *one)
{
    return one->type == MPI_INT || one->type == MPI_UNSIGNED || one->type == MPI_C_BOOL;
}

static long long to_value(const struct contend_variable *one, union number number)
{
    if (one->type == MPI_C_BOOL)
        return number.as_bool;
    return one->type == MPI_INT ? number.as_int : (long long)number.as_unsigned;
}

static union number from_value(const struct contend_variable *one, long long value)
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

/* False for what is no single number. */
static bool open_number(struct contend_variable *variable)
{
    int count = 0;
    if (!is_number(variable) ||
        MPI_T_cvar_handle_alloc(variable->index, NULL, &variable->handle, &count) != MPI_SUCCESS)
        return false;
    if (count == 1)
        return true;
    MPI_T_cvar_handle_free(&variable->handle);
    return false;
}

bool contend_open_variable(const char *name, struct contend_variable *variable)
{
    return find(name, variable) && open_number(variable);
}

void contend_close_variable(struct contend_variable *variable)
{
    MPI_T_cvar_handle_free(&variable->handle);
}

bool contend_read_variable(const struct contend_variable *variable, long long *value)
{
    union number number = {0};
    const bool is_read = MPI_T_cvar_read(variable->handle, &number) == MPI_SUCCESS;
    *value = to_value(variable, number);
    return is_read;
}

bool contend_write_variable(const struct contend_variable *variable, long long value)
{
    const union number number = from_value(variable, value);
    return MPI_T_cvar_write(variable->handle, &number) == MPI_SUCCESS;
}

enum contend_control_state contend_look_at_control(const char *name, long long *value)
{
    struct contend_variable one;
    if (!find(name, &one))
        return CONTEND_CONTROL_UNKNOWN;
    if (!open_number(&one))
        return CONTEND_CONTROL_NO_NUMBER;
    const bool is_read = contend_read_variable(&one, value);
    contend_close_variable(&one);
    if (!is_read)
        return CONTEND_CONTROL_NO_NUMBER;
    const bool is_fixed = one.scope == MPI_T_SCOPE_CONSTANT || one.scope == MPI_T_SCOPE_READONLY;
    return is_fixed ? CONTEND_CONTROL_FIXED : CONTEND_CONTROL_WRITABLE;
}

bool contend_set_control(struct contend_control *control)
{
    struct contend_variable one;
    if (!contend_open_variable(control->name, &one))
        return false;
    control->is_set = contend_read_variable(&one, &control->before) &&
                      contend_write_variable(&one, control->value);
    contend_close_variable(&one);
    return control->is_set;
}

bool contend_restore_control(struct contend_control *control)
{
    struct contend_variable one;
    if (!control->is_set)
        return true;
    control->is_set = false;
    if (!contend_open_variable(control->name, &one))
        return false;
    const bool is_restored = contend_write_variable(&one, control->before);
    contend_close_variable(&one);
    return is_restored;
}
