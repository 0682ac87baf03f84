// What the kernel gives a program when it starts, kept before anything else runs.

#ifndef COFFER_PROGRAM_START_H
#define COFFER_PROGRAM_START_H

// How many words the program was started with, and the words.
int coffer_word_count(void);
char **coffer_words(void);

// Takes back what was done for the runtime library alone, so that programs that are started do not get it.
void coffer_runtime_has_started(void);

// Lets the signals of a crash end the program at once, and no handler run that the runtime library has set.
void coffer_remove_crash_handlers(void);

// Overwrites the free memory of the heap of the first thread, where texts that were released remain.
void coffer_overwrite_free_memory(void);

#endif
