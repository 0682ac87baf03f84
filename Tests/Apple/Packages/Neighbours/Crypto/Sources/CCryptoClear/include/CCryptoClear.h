#include <stddef.h>

// Overwrites bytes with zeros.
void clear_bytes(void *bytes, size_t count);
