#include "ProgramStart.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int word_count;
static char **words;
static int has_set_root;

// The runtime library of Swift reads the words of a program, and where it lies, from /proc. Where that is not mounted it
// finds no words, and ends the program because it does not know where it lies; so it is told before it asks.
__attribute__((constructor(101))) static void start(int count, char **arguments, char **environment) {
    (void)environment;
    word_count = count;
    words = arguments;
    if (access("/proc/self/exe", F_OK) != 0 && !getenv("SWIFT_ROOT"))
        has_set_root = setenv("SWIFT_ROOT", "/", 0) == 0;
}

int coffer_word_count(void) { return word_count; }

char **coffer_words(void) { return words; }

void coffer_runtime_has_started(void) {
    if (has_set_root) unsetenv("SWIFT_ROOT");
}

void coffer_remove_crash_handlers(void) {
    const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        struct sigaction action;
        // What the process was told to ignore stays ignored.
        if (sigaction(signals[index], NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(signals[index], SIG_DFL);
    }
}
