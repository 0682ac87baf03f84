/// What a crash may leave.
package struct CrashState: Sendable, CustomStringConvertible {
    /// What happened, for people.
    package let description: String
    private let image: @Sendable () -> DiskImage

    init(description: String, image: @escaping @Sendable () -> DiskImage) {
        self.description = description
        self.image = image
    }

    /// A new disk that holds what the crash left, all of it durable.
    package func makeDisk() -> SimulatedDisk {
        SimulatedDisk(image())
    }
}
