/* How the lab's programs say that something failed. */
#ifndef CONTEND_LAB_REPORT_H
#define CONTEND_LAB_REPORT_H

/* "contend-lab: WHAT: strerror(errno)" on standard error, then the end with exit code 1. */
_Noreturn void contend_lab_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
