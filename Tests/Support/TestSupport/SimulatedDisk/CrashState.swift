/// A state that a crash may leave.
package struct CrashState: Sendable, CustomStringConvertible {
    /// A description of the crash for people.
    package let description: String
    private let image: @Sendable () -> DiskImage

    init(description: String, image: @escaping @Sendable () -> DiskImage) {
        self.description = description
        self.image = image
    }

    /// Returns a new disk with the state that the crash left, all of it durable.
    package func makeDisk() -> SimulatedDisk {
        SimulatedDisk(image())
    }
}
