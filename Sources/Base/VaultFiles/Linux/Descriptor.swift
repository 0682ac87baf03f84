internal import Glibc

/// A file descriptor that is closed when the last reference to it goes.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }
}
