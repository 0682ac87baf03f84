// What the system has beyond POSIX and its Swift module leaves out.

#ifndef COFFER_CLINUX_H
#define COFFER_CLINUX_H

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

// <linux/fcntl.h>, <linux/fs.h>
enum {
    coffer_F_OFD_SETLK = 37,
    coffer_AT_EMPTY_PATH = 0x1000,
    coffer_O_PATH = 010000000,
    coffer_RENAME_NOREPLACE = 1,
};

// <linux/memfd.h>, <linux/fcntl.h>, <linux/magic.h>
enum {
    coffer_MFD_CLOEXEC = 1,
    coffer_MFD_ALLOW_SEALING = 2,
    coffer_F_ADD_SEALS = 1033,
    coffer_ALL_SEALS = 0xF,
    coffer_TMPFS_MAGIC = 0x01021994,
};

// The device number of a terminal, however it was opened; 0 if it has none. <asm/ioctls.h>: TIOCGDEV.
static inline unsigned int coffer_terminal_device(int descriptor) {
    unsigned int device = 0;
    return syscall(SYS_ioctl, descriptor, 0x80045432UL, &device) == 0 ? device : 0;
}

// `prctl` takes any number of arguments, which Swift does not call. While the memory is hidden there are no core dumps of
// the process, and other processes of the same user can neither trace it nor open what it has in /proc.
static inline void coffer_hide_memory(int is_hidden) { (void)prctl(PR_SET_DUMPABLE, is_hidden ? 0UL : 1UL, 0UL, 0UL, 0UL); }

// Whether something was mounted in the place of a directory, as the kernel tells since version 5.8. The C library has the
// call, but not everywhere. <linux/stat.h>: the structure, AT_SYMLINK_NOFOLLOW, AT_NO_AUTOMOUNT, STATX_ATTR_MOUNT_ROOT.
static inline int coffer_is_mounted(int directory, const char *name) {
    struct {
        unsigned int mask, block_size;
        unsigned long long attributes;
        unsigned char rest[240];
    } status;
    return syscall(SYS_statx, directory, name, 0x100 | 0x800, 0, &status) == 0 && (status.attributes & 0x2000) != 0;
}

// The status of a name in a directory, or of an open file, without its times. Since version 6.13 the kernel gives a file
// whose times were asked for new ones with its next change, and then each sync writes the inode too, which makes a
// durable append half as slow again. <linux/stat.h>: the structure; of STATX_BASIC_STATS all but times and blocks.
struct coffer_status {
    unsigned int mask, block_size;
    unsigned long long attributes;
    unsigned int link_count, owner, group;
    unsigned short mode, spare;
    unsigned long long inode, byte_count, block_count, attributes_mask;
    unsigned char times[64];
    unsigned int device_type[2], device_major, device_minor;
    unsigned char rest[112];
};

// Like `fstatat`, it mounts nothing (AT_NO_AUTOMOUNT). It returns 1 if the file system left something out.
static inline int coffer_examine(int descriptor, const char *name, int flags, struct coffer_status *status) {
    const unsigned int wanted = 0x31F;
    if (syscall(SYS_statx, descriptor, name, flags | 0x800, wanted, status) != 0) return -1;
    return (status->mask & wanted) != wanted;
}

static inline unsigned long long coffer_device(const struct coffer_status *status) {
    return makedev(status->device_major, status->device_minor);
}

// The section `coffer_entitlements` of the program or library that this is linked into. The linker defines both symbols
// if there is one; otherwise they are equal.
extern const unsigned long long coffer_entitlements_start[]
    __asm__("__start_coffer_entitlements") __attribute__((weak, visibility("hidden")));
extern const unsigned long long coffer_entitlements_stop[]
    __asm__("__stop_coffer_entitlements") __attribute__((weak, visibility("hidden")));
static inline const unsigned long long *coffer_entitlements(void) { return coffer_entitlements_start; }
static inline size_t coffer_entitlements_count(void) { return coffer_entitlements_stop - coffer_entitlements_start; }

int memfd_create(const char *name, unsigned int flags);
int pipe2(int ends[2], int flags);
int ppoll(struct pollfd *wanted, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
// Swift's module has the type of `actions`, but not this call.
int coffer_add_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");
int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned int flags);

// <linux/keyctl.h>
enum {
    coffer_KEY_SPEC_THREAD_KEYRING = -1,
    coffer_KEY_SPEC_USER_KEYRING = -4,
    coffer_KEYCTL_SETPERM = 5,
    coffer_KEYCTL_LINK = 8,
    coffer_KEYCTL_UNLINK = 9,
    coffer_KEYCTL_SEARCH = 10,
    coffer_KEYCTL_READ = 11,
    coffer_KEYCTL_SET_TIMEOUT = 15,
    coffer_KEYCTL_INVALIDATE = 21,
};

// The C library has none of these calls; `syscall` takes any number of arguments, which Swift does not call.
static inline long coffer_add_key(
    const char *type, const char *description, const void *payload, size_t byte_count, int keyring
) {
    return syscall(SYS_add_key, type, description, payload, byte_count, keyring);
}

static inline long coffer_keyctl(int operation, int key, unsigned int value) {
    return syscall(SYS_keyctl, operation, key, (unsigned long)value, 0UL, 0UL);
}

static inline long coffer_keyctl_link(int operation, int key, int keyring) {
    return syscall(SYS_keyctl, operation, key, keyring, 0UL, 0UL);
}

static inline long coffer_keyctl_search(int keyring, const char *type, const char *description) {
    return syscall(SYS_keyctl, coffer_KEYCTL_SEARCH, keyring, type, description, 0);
}

static inline long coffer_keyctl_read(int key, void *buffer, size_t byte_count) {
    return syscall(SYS_keyctl, coffer_KEYCTL_READ, key, buffer, byte_count, 0UL);
}

#endif
