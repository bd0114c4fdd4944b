/* The switch belongs into a network namespace of a lab, never into that of the machine. */
#ifndef CONTEND_NAMESPACE_H
#define CONTEND_NAMESPACE_H

/* Exits where the network namespace is not one of an ordinary user's own user namespace. */
void contend_require_own_network(void);

#endif
