/* Writes records anew as the recorder does, by its own files, at the times that they have.
 *
 *   trace_size FOLDER RANK RANKS RUN < RECORDS
 *
 * takes the number of kinds, records and words (64 bits each), names of kinds of 64 B each, and
 * records and words as they are in memory, with places of words counted from the first of all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"
#include "visit.h"

enum { NAME = 64 };

static int64_t now;

int64_t contend_nanoseconds(void) { return now; }

static void* take(size_t count, size_t size) {
  void* taken = malloc(count * size + 1);
  if (taken == NULL || fread(taken, size, count, stdin) != count) exit(1);
  return taken;
}

static uint16_t number_of(const char* name) {
  for (uint16_t kind = 0; kind < CONTEND_KINDS; kind++)
    if (strcmp(contend_kind_names[kind], name) == 0) return kind;
  fprintf(stderr, "the recorder has no %s\n", name);
  exit(1);
}

static void append(struct contend_record record, const int64_t* words, const char (*kinds)[NAME]) {
  const uint32_t first = record.first, count = record.words;
  const char* name = kinds[record.kind];
  record.kind = number_of(name);
  if (strcmp(name, "Start") == 0 || strcmp(name, "Startall") == 0)
    record.received = number_of(kinds[record.received]);
  if (count > 0 && (strncmp(name, "Wait", 4) == 0 || strncmp(name, "Test", 4) == 0))
    record.flags |= CONTEND_ENDS;
  contend_trace_begin(&record);
  if (contend_trace_has_room(&record, count))
    for (uint32_t i = 0; i < count; i++) contend_trace_word(&record, words[first + i]);
  now = record.end;
  contend_trace_append(&record);
}

int main(int count, char** given) {
  if (count != 5) return 1;
  /* Static, so that they are not lost at the end, as leak checkers see it. */
  static const uint64_t* sizes;
  static const char (*kinds)[NAME];
  static struct contend_record* records;
  static const int64_t* words;
  sizes = take(3, sizeof *sizes);
  kinds = take(sizes[0], sizeof *kinds);
  records = take(sizes[1], sizeof *records);
  words = take(sizes[2], sizeof *words);
  now = sizes[1] > 0 ? records[0].start : 0;
  const struct contend_origin origin = {.folder = given[1],
                                        .rank = atoi(given[2]),
                                        .ranks = atoi(given[3]),
                                        .run = strtoull(given[4], NULL, 16)};
  if (!contend_trace_open(&origin)) return 1;
  for (uint64_t i = 0; i < sizes[1]; i++) append(records[i], words, kinds);
  contend_trace_close();
  return 0;
}
