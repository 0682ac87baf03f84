// What the system has beyond POSIX and its Swift module leaves out.

#ifndef COFFER_CLINUX_H
#define COFFER_CLINUX_H

#include <sys/eventfd.h>
#include <sys/vfs.h>

// <linux/fcntl.h>, <linux/fs.h>
enum {
    coffer_F_OFD_SETLK = 37,
    coffer_RENAME_NOREPLACE = 1,
};

int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned int flags);

#endif
