/* Capabilities inside the lab's own user namespace; outside it they mean nothing. */
#ifndef CONTEND_LAB_CAPABILITIES_H
#define CONTEND_LAB_CAPABILITIES_H

/* Keep all capabilities that this process has through exec, whoever the user is. */
void contend_lab_keep_capabilities(void);

/* Give up all of them for good: what runs next is an ordinary user's program. */
void contend_lab_drop_capabilities(void);

#endif
