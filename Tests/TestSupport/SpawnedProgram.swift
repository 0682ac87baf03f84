internal import CLinux
package import Glibc

/// Closes all descriptors but the standard streams in a program that is started.
///
/// It would inherit the pipes of other tests, and a reader of one of those would not see its end before the program ends.
package func keepOnlyStandardStreams(_ actions: inout posix_spawn_file_actions_t) {
    coffer_add_close_from(&actions, 3)
}
