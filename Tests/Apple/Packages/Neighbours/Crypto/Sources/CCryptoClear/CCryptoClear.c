#define _DEFAULT_SOURCE
#include "CCryptoClear.h"
#include <string.h>

void clear_bytes(void *bytes, size_t count) { explicit_bzero(bytes, count); }
