/* The entry points that stand before MPI's own: every call of the tables, under MPI_ and PMPI_,
 * since the Fortran procedures of MPI libraries call the one or the other, and so do tools that
 * stand before this library. What is called by PMPI_ is seen, but served by none: that is how to
 * pass the exchanges by.
 *
 * Where no mode wants the call it goes on with its arguments untouched, after two loads. */
#include <mpi.h>

#include "exchange/endings.h"
#include "exchange/report/summary.h"
#include "exchange/state.h"
#include "frame.h"
#include "modes.h"
#include "record/notes.h"
#include "watch/job.h"

/* Calls of the program that are no blocking collectives are counted by their names alone. */
static void count_begun(enum contend_operation operation, int does)
{
    const enum contend_form form = does & CONTEND_PERSISTS ? CONTEND_STARTED_LATER : CONTEND_BEGUN;
    if (contend_depth > 0)
        return;
    contend_count_other(operation, form);
    if (contend_modes & CONTEND_EXCHANGES)
        contend_count_unserved(operation, form);
}
#include "whole.h"

#define JOINED(name, suffix) JOINED_AS_WRITTEN(name, suffix)
#define JOINED_AS_WRITTEN(name, suffix) name##suffix
#define ALSO(...) , __VA_ARGS__

/* `modes`: those that want the call. seen_ takes what is behind, and whether the call is the
 * program's, beside what the call takes. */
#define ENTRY(symbol, modes, takes, gives, ...)                                                    \
    ENTRY_AS_WRITTEN(symbol, modes, takes, gives, __VA_ARGS__)
#define ENTRY_AS_WRITTEN(symbol, modes, takes, gives, ...)                                         \
    typedef __typeof__(&MPI_##symbol) next_##symbol;                                               \
    static __attribute__((noinline)) int seen_##symbol(const next_##symbol next,                   \
                                                       const bool is_of_program ALSO takes)        \
    {                                                                                              \
        (void)is_of_program;                                                                       \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    EXPORTED(MPI_##symbol, symbol, modes, takes, gives, true)                                      \
    EXPORTED(PMPI_##symbol, symbol, modes, takes, gives, false)
/* The arguments of a program that uses another MPI library must not be touched: so what is behind
 * is found before any call. */
#define EXPORTED(function, symbol, modes, takes, gives, is_of_program)                             \
    static void *behind_##function;                                                                \
    __attribute__((constructor)) static void find_##function(void)                                 \
    {                                                                                              \
        behind_##function = contend_find_behind(#function);                                        \
    }                                                                                              \
    CONTEND_EXPORTED int function takes                                                            \
    {                                                                                              \
        const next_##symbol next = (next_##symbol)contend_behind(&behind_##function, #function);   \
        if (__builtin_expect((contend_modes & (modes)) != 0, 0))                                   \
            return seen_##symbol(next, is_of_program ALSO gives);                                  \
        return next gives;                                                                         \
    }

#define RECORDED(name, takes, gives, modes, hook, unhook, before, ...)                             \
    ENTRY(                                                                                         \
        JOINED(name, SUFFIX), modes, takes, gives, hook struct contend_visit visit;                \
        const bool is_recorded = contend_enter(&visit, CONTEND_KIND_##name); if (is_recorded) {    \
            before visit.record.start = contend_nanoseconds();                                     \
        } const int code = next gives;                                                             \
        if (is_recorded) {                                                                         \
            visit.record.end = contend_nanoseconds();                                              \
            contend_settle(&visit, code);                                                          \
            __VA_ARGS__ contend_leave(&visit);                                                     \
        } unhook return code;)
#define COMPLETION(name, takes, gives, before, ...)                                                \
    RECORDED(name, takes, gives, CONTEND_RECORDS, , , before, __VA_ARGS__)
#define AFTER_SUCCESS(...)                                                                         \
    if (code == MPI_SUCCESS) {                                                                     \
        __VA_ARGS__                                                                                \
    }
#define CALL(name, takes, gives, before, ...)                                                      \
    COMPLETION(name, takes, gives, before, AFTER_SUCCESS(__VA_ARGS__))
#define HOOKED(name, takes, gives, hook, unhook, before, ...)                                      \
    RECORDED(name, takes, gives, CONTEND_ALL_MODES, hook, unhook, before,                          \
             AFTER_SUCCESS(__VA_ARGS__))

/* Each field of a call is given, those that few calls have first and by these again: where one were
 * left out all would be cleared before, for a tenth of the time that watching a call may take. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define DATA(buffer_, count_, counts_, places_, type_, types_, width_)                             \
    {.buffer = (void *)(buffer_),                                                                  \
     .count = (count_),                                                                            \
     .counts = (counts_),                                                                          \
     .places = (places_),                                                                          \
     .types = (types_),                                                                            \
     .type = (type_),                                                                              \
     .width = (width_)}
#define NOTHING DATA(NULL, 0, NULL, NULL, MPI_DATATYPE_NULL, NULL, 0)
#define DESCRIBED(operation_, ...)                                                                 \
    const struct contend_collective call = {.sent = NOTHING,                                       \
                                            .received = NOTHING,                                   \
                                            .comm = comm,                                          \
                                            .op = MPI_OP_NULL,                                     \
                                            .root = 0,                                             \
                                            .operation = CONTEND_##operation_,                     \
                                            .is_in_place = false,                                  \
                                            __VA_ARGS__};
#define COLLECTIVE(operation, name, takes, gives, ...)                                             \
    ENTRY(                                                                                         \
        JOINED(name, SUFFIX), CONTEND_ALL_MODES, takes, gives,                                     \
        DESCRIBED(operation, __VA_ARGS__) struct contend_frame frame;                              \
        int code; contend_collective_begin(&frame, &call, CONTEND_KIND_##name);                    \
        if (!contend_collective_is_served(&frame, &call, is_of_program, &code)) {                  \
            comm = contend_collective_comm(&frame, comm);                                          \
            code = next gives;                                                                     \
        } contend_collective_end(&frame, &call, code);                                             \
        return code;)
#define BEGINNING(operation, name, takes, gives, does, ...)                                        \
    HOOKED(name, takes, gives, count_begun(CONTEND_##operation, does);                             \
           , , , DESCRIBED(operation, __VA_ARGS__) contend_note_collective(&visit, &call);         \
           BEGUN(does))

/* Hooks are for the program's calls, which may come through here twice on their way. */
#define WHOLE(name, takes, gives, hook, unhook)                                                    \
    WHOLE_EXPORTED(MPI_##name, takes, gives, hook, unhook)                                         \
    WHOLE_EXPORTED(PMPI_##name, takes, gives, hook, unhook)
#define WHOLE_EXPORTED(function, takes, gives, hook, unhook)                                       \
    CONTEND_EXPORTED int function takes                                                            \
    {                                                                                              \
        static void *behind;                                                                       \
        const __typeof__(&function) next =                                                         \
            (__typeof__(&function))contend_behind(&behind, #function);                             \
        if (contend_is_in_whole)                                                                   \
            return next gives;                                                                     \
        hook contend_is_in_whole = true;                                                           \
        contend_depth++;                                                                           \
        const int code = next gives;                                                               \
        contend_depth--;                                                                           \
        contend_is_in_whole = false;                                                               \
        unhook return code;                                                                        \
    }

#define COUNT int
#define PLACE int
#define SUFFIX
#include "calls.def"
#undef COUNT
#undef PLACE
#undef SUFFIX

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define SUFFIX _c
#include "counted.def"
#endif
