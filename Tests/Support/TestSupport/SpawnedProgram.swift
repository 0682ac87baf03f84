internal import CCofferLinux
package import Glibc

/// Closes all descriptors except the standard streams in a spawned program.
///
/// Otherwise it would inherit the pipes of other tests, and their readers would not see the end until the program ends.
package func keepOnlyStandardStreams(_ actions: inout posix_spawn_file_actions_t) {
    coffer_add_close_from(&actions, 3)
}
