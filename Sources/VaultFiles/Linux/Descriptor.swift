internal import Glibc

/// A descriptor that is closed when the last one lets go of it.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }
}
