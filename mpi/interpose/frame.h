/* What the modes keep of a collective call from its beginning to its end, on the stack. */
#ifndef CONTEND_FRAME_H
#define CONTEND_FRAME_H

#include "collective.h"
#include "exchange/turn.h"
#include "record/visit.h"
#include "try/try.h"
#include "watch/call.h"

struct contend_frame {
    bool is_seen; /* not from within another call */
    bool is_recorded;
    bool is_fortran; /* by PMPI_, but of the program */
    struct contend_visit visit;
    struct contend_watched watched;
    struct contend_turn turn;
    struct contend_tried tried;
};

#endif
