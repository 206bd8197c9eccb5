#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A simdjson DOM parser with its buffers, which it keeps from one value to the next.
typedef struct CSimdjsonParser CSimdjsonParser;

/// Bytes behind the end of an input that have to be readable, whatever they hold.
size_t csimdjson_padding(void);

/// The first line feed of a run; NULL where it has none.
static inline const void *csimdjson_find_line_end(const void *bytes, size_t length) {
    return memchr(bytes, '\n', length);
}

/// A parser of values that nest at most `max_depth` deep; NULL where there is no memory.
CSimdjsonParser *csimdjson_create(size_t max_depth);

/// Frees a parser; NULL is allowed.
void csimdjson_destroy(CSimdjsonParser *parser);

/// Parses exactly one JSON value.
///
/// `words` and `strings` become simdjson's tape and string buffer (its `doc/tape.md`); they hold until the next call.
/// Returns 0, or simdjson's error code, which says nothing about where.
int csimdjson_parse(
    CSimdjsonParser *parser, const uint8_t *bytes, size_t length, const uint64_t **words, const uint8_t **strings);

#ifdef __cplusplus
}
#endif
