/* Balanced carriers of LG, whatever the sizes of the groups. */
#ifndef CONTEND_CARRIERS_H
#define CONTEND_CARRIERS_H

#include "itinerary.h"

/* From the carrier in the own group straight to the destination. Between groups of a <= b ranks:
 * to the position j of the larger group, position j mod a carries. Of the larger group every a
 * positions are a full group; in full group f its position f a + j carries its a blocks for j. The
 * r = b mod a ranks that are left carry a blocks each as well: the r a blocks of theirs, by
 * destination, are cut in r equal pieces. */
contend_route contend_balanced_route;

#endif
