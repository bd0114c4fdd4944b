/* The beginning and the end of MPI, for all modes that are on. */
#include "whole.h"

#include <mpi.h>

#include "exchange/state.h"
#include "exchange/world.h"
#include "modes.h"
#include "record/start.h"
#include "try/try.h"
#include "watch/job.h"

__thread bool contend_is_in_whole;

int64_t contend_before_init(void)
{
    contend_settle_modes();
    if (contend_modes & CONTEND_TRIES)
        contend_prepare_trying();
    return contend_nanoseconds();
}

void contend_after_init(int64_t start, int code)
{
    if (code != MPI_SUCCESS)
        return;
    contend_depth++;
    if (contend_modes & CONTEND_RECORDS)
        contend_record_begin(start);
    if (contend_modes & CONTEND_ADDS_UP)
        contend_watch_start();
    if (contend_modes & (CONTEND_EXCHANGES | CONTEND_TRIES))
        contend_begin_world();
    if (contend_modes & CONTEND_TRIES)
        contend_start_trying();
    contend_depth--;
}

/* Before any callback of the program, which may exchange: some ranks could have states still. */
int64_t contend_before_finalize(void)
{
    const int64_t start = contend_nanoseconds();
    contend_depth++;
    if (contend_modes & CONTEND_ADDS_UP)
        contend_watch_finish();
    if (contend_modes & CONTEND_TRIES)
        contend_end_trying();
    if (contend_modes & (CONTEND_EXCHANGES | CONTEND_TRIES))
        contend_end_states();
    if (contend_modes & CONTEND_RECORDS)
        contend_record_ending();
    contend_depth--;
    return start;
}

void contend_after_finalize(int64_t start)
{
    if (contend_modes & CONTEND_RECORDS)
        contend_record_end(start);
}

void contend_before_abort(void)
{
    if (contend_modes & CONTEND_RECORDS)
        contend_record_abort();
    if (contend_modes & CONTEND_ADDS_UP)
        contend_watch_abort();
}
