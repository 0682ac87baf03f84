/* Expectations of tests in C. A failed one prints where, and ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include "coffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Expects that a call with the argument `&error` at its end succeeds. */
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        coffer_error *error = NULL;                                                                                    \
        if ((call) != COFFER_OK) {                                                                                     \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                                              \
                    (const char *)coffer_error_message(error).bytes);                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
        CHECK(error == NULL);                                                                                          \
    } while (0)

/* Expects that a call with the argument `&error` at its end fails in a way, with a status code of Apple's. */
#define FAILS(status, apple, call)                                                                                     \
    do {                                                                                                               \
        coffer_error *error = NULL;                                                                                    \
        coffer_status actual = (call);                                                                                 \
        if (actual != (status) || coffer_error_status(error) != (status) ||                                            \
            coffer_error_apple_status(error) != (apple) || coffer_error_message(error).count == 0) {                   \
            fprintf(stderr, "%s:%d: %s: %d, %d: %s\n", __FILE__, __LINE__, #call, (int)actual,                         \
                    (int)coffer_error_apple_status(error),                                                             \
                    error ? (const char *)coffer_error_message(error).bytes : "no error");                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
        coffer_error_free(error);                                                                                      \
    } while (0)

/* Whether bytes are those of a string, and followed by a zero byte. */
static inline bool is(coffer_bytes bytes, const char *text)
{
    const char *start = (const char *)bytes.bytes;
    return bytes.count == strlen(text) && memcmp(start, text, bytes.count) == 0 && start[bytes.count] == 0;
}

#endif
