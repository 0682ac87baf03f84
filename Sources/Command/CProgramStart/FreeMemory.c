#include "ProgramStart.h"

#include <malloc.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct block {
    struct block *next;
};

// The allocator takes memory at the end of the heap only if no free block fits. So all free blocks are taken, from the
// largest to the smallest, until each size comes from there.
void coffer_overwrite_free_memory(void) {
    const struct mallinfo2 heap = mallinfo2();
    const uintptr_t end = (uintptr_t)sbrk(0) - heap.keepcost;
    struct block *first = NULL;
    for (size_t size = 1 << 20; size >= sizeof(struct block); size = size > 2048 ? size / 2 : size - 8) {
        for (;;) {
            struct block *const block = malloc(size);
            if (!block) break;
            memset(block, 0, malloc_usable_size(block));
            block->next = first;
            first = block;
            if ((uintptr_t)block >= end) break;
        }
    }
    while (first) {
        struct block *const next = first->next;
        free(first);
        first = next;
    }
    // What was free at the end is given back to the system, except for the rest of a page.
    malloc_trim(0);
}
