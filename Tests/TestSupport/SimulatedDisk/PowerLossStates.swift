/// What may be on the disk after a power failure at one moment: a collection whose elements are made when asked for.
package struct PowerLossStates: RandomAccessCollection, Sendable {
    private let point: CrashPoint
    private let disk: UncertainDisk
    private let losses: [NamedPowerLoss]

    init(_ point: CrashPoint, sectors: [Int], randomSubsets: Int, seed: UInt64) {
        self.point = point
        disk = UncertainDisk(point.image)
        var list = PowerLossList(disk, sectors: sectors)
        list.addAll(randomSubsets: randomSubsets, seed: seed &+ UInt64(point.call) &* 0x9E37_79B9)
        losses = list.losses
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { losses.count }

    package subscript(position: Int) -> CrashState {
        let loss = losses[position]
        let description = "\(point.description): \(loss.name.text(disk, point.trace, loss.loss))"
        return CrashState(description: description) { [disk] in disk.image(after: loss.loss) }
    }
}

extension CrashPoint {
    /// The power failed: of what was not durable any part may have reached the disk.
    ///
    /// That is, of the changes since the last syncs: none, all, the first ones; all but one write; all but one sector
    /// of one write, for each size in `sectors`; all, but of one write only the length of the file; the first ones and the
    /// beginning of the next; changes of names without the content, and content without them; and as many random
    /// subsets as you like.
    package func powerLossStates(
        sectors: [Int] = [512, 4096],
        randomSubsets: Int = 8,
        seed: UInt64 = 0
    ) -> PowerLossStates {
        PowerLossStates(self, sectors: sectors, randomSubsets: randomSubsets, seed: seed)
    }
}
