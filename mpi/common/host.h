/* What the host of this process is: kernel, processor, congestion control. */
#ifndef CONTEND_HOST_H
#define CONTEND_HOST_H

struct contend_host {
    char kernel[256];
    char cpu[256];               /* "" where /proc/cpuinfo does not name a model */
    char congestion_control[64]; /* of TCP; "" where it cannot be read */
};

struct contend_host contend_find_host(void);

#endif
